// What the tests of the schema editor share. Whatever a test leaves: before the next one, and at the end, the schema of the beginning stands again.
import { after, before } from 'node:test'
import { api, open } from './browser.mjs'

export const ns = 'https://example.org/factmask/'

export async function schema() {
  const { body, etag } = await api('GET', '/v1/schema')
  return { schema: body, etag }
}

let first
before(async () => {
  first = { text: (await api('GET', '/v1/schema', { headers: { accept: 'text/turtle' } })).body, etag: (await schema()).etag }
})

export async function reset() {
  const { etag } = await schema()
  if (etag !== first.etag) await api('PUT', '/v1/schema', { turtle: first.text, headers: { 'if-match': `"${etag}"` } })
  await api('DELETE', '/v1/schema/draft').catch(() => {})
}
after(reset)

export async function editor(t, options) {
  await reset()
  const page = await open(t, 'schema', options)
  await page.locator('.class-box').first().waitFor()
  return page
}

export async function choose(page, kind, name) {
  await page.getByRole('button', { name: new RegExp(`^${kind}`) }).click()
  await page.getByRole(kind === 'Classes' ? 'treeitem' : 'option', { name, exact: true }).first().click()
}

export async function pickOption(page, label, name) {
  const box = page.getByRole('combobox', { name: label, exact: true })
  await box.click()
  await box.fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

/** The draft that the service has; null where there is none. */
export async function draft() {
  const { body } = await api('GET', '/v1/schema/draft').catch(() => ({ body: null }))
  return body || null
}
