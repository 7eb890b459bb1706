// The draft is written in the background; here the service is slow or refuses, and no edit comes back or is lost by it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, eventually } from './browser.mjs'
import { choose, draft, editor, ns, schema } from './editor.mjs'

/** Holds the page's requests of one kind, or with `done` only the answers to them, until they are let go; `begun` tells how many there were. */
async function held(page, path, method, { done = false } = {}) {
  let begun = 0
  let release
  const gone = new Promise((go) => (release = go))
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    const response = done ? await route.fetch() : null
    begun++
    await gone
    await (response ? route.fulfill({ response }) : route.continue())
  })
  return { begun: () => begun, release }
}

const label = (page) => page.getByLabel('Labels 1', { exact: true })
const discard = (page) => page.getByRole('button', { name: 'Discard draft' })
// Longer than the editor waits before it saves, so that a save that was about to come has come.
const afterSaves = (page) => page.waitForTimeout(3_000)

async function nothingLeft(page) {
  await page.getByRole('treeitem', { name: 'gene', exact: true }).waitFor()
  await discard(page).waitFor({ state: 'detached' })
  await afterSaves(page)
  assert.equal(await draft(), null)
  assert.equal(await discard(page).count(), 0)
  await page.reload()
  await page.getByRole('treeitem', { name: 'gene', exact: true }).waitFor()
  assert.equal(await discard(page).count(), 0)
}

test('a save in flight does not bring a discarded draft back', async (t) => {
  const page = await editor(t)
  const puts = await held(page, '**/v1/schema/draft?*', 'PUT')
  await choose(page, 'Classes', 'gene')
  await label(page).fill('locus')
  await eventually(puts.begun, 1)
  // One more edit waits behind it.
  await label(page).fill('genetic locus')
  await discard(page).click()
  await afterSaves(page)
  puts.release()
  await nothingLeft(page)
  assert.equal(puts.begun(), 1, 'what waited was dropped')
})

test('an edit that waits to be saved is not saved while the draft is discarded', async (t) => {
  const page = await editor(t)
  await choose(page, 'Classes', 'gene')
  await label(page).fill('locus')
  await page.getByText(/draft saved/).waitFor()
  const deletes = await held(page, '**/v1/schema/draft?*', 'DELETE', { done: true })
  await label(page).fill('genetic locus')
  await discard(page).click()
  await eventually(deletes.begun, 1)
  await label(page).fill('yet another')
  await afterSaves(page)
  deletes.release()
  await nothingLeft(page)
})

test('a Turtle text that is being checked does not bring a discarded draft back', async (t) => {
  const page = await editor(t)
  await choose(page, 'Classes', 'gene')
  await label(page).fill('locus')
  await page.getByText(/draft saved/).waitFor()
  await page.getByRole('button', { name: 'Turtle', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'The schema as Turtle' })
  await text.waitFor()
  await eventually(async () => (await text.inputValue()).includes('"locus"'), true)
  const checks = await held(page, '**/v1/schema/check', 'POST')
  await text.focus()
  await text.evaluate((area) => area.setSelectionRange(area.value.length, area.value.length))
  await page.keyboard.insertText(`\n<${ns}Planet> a <http://www.w3.org/2000/01/rdf-schema#Class> .\n`)
  await eventually(checks.begun, 1)
  await discard(page).click()
  await discard(page).waitFor({ state: 'detached' })
  checks.release()
  await nothingLeft(page)
  assert.equal(await page.getByRole('treeitem', { name: 'Planet' }).count(), 0)
})

test('a discard that fails is told of, and loses nothing', async (t) => {
  const page = await editor(t)
  await choose(page, 'Classes', 'gene')
  await label(page).fill('locus')
  await page.getByText(/draft saved/).waitFor()
  await page.route('**/v1/schema/draft?*', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify({ title: 'No', detail: 'the disk is full' }) }) : route.fallback(),
  )
  await discard(page).click()
  await page.getByRole('alert').getByText('the disk is full').waitFor()
  await label(page).fill('genetic locus')
  await eventually(async () => (await draft())?.schema.classes.some((one) => one.labels.some(({ text }) => text === 'genetic locus')), true)
  await page.unroute('**/v1/schema/draft?*')
  await discard(page).click()
  await nothingLeft(page)
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('a publish waits for the save in flight, and leaves no draft', async (t) => {
  const page = await editor(t)
  await choose(page, 'Classes', 'gene')
  const puts = await held(page, '**/v1/schema/draft?*', 'PUT')
  await label(page).fill('genetic locus')
  await eventually(puts.begun, 1)
  await page.getByRole('button', { name: 'Preview and publish…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.impact').waitFor()
  await dialog.getByLabel('Your name').fill('Ada')
  await dialog.getByLabel('Why').fill('a word')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await afterSaves(page)
  puts.release()
  await page.getByText(/Published as version/).waitFor()
  assert.ok((await schema()).schema.classes.some((one) => one.labels.some(({ text }) => text === 'genetic locus')))
  await afterSaves(page)
  assert.equal(await draft(), null)
  assert.equal(await discard(page).count(), 0)
})

test('who leaves before a slow save and comes back finds the edit', async (t) => {
  const page = await editor(t)
  const puts = await held(page, '**/v1/schema/draft?*', 'PUT')
  await choose(page, 'Classes', 'gene')
  await label(page).fill('locus')
  await page.getByRole('navigation').getByRole('link', { name: 'Numbers' }).click()
  await eventually(puts.begun, 1)
  await page.getByRole('navigation').getByRole('link', { name: 'Schema' }).click()
  puts.release()
  await page.getByRole('treeitem', { name: 'locus', exact: true }).waitFor()
  await discard(page).click()
  await nothingLeft(page)
})

test('a restore waits for the save in flight, and the draft is offered on top of it', async (t) => {
  const page = await editor(t)
  const { schema: now, etag } = await schema()
  const other = { ...now, classes: now.classes.map((one) => (one.iri === `${ns}Drug` ? { ...one, aliases: [...one.aliases, { lang: 'en', text: 'pharmaceutical' }] } : one)) }
  await api('POST', '/v1/schema/publish', { json: { base: etag, schema: other, renames: [], author: 'Bob', reason: 'another word' } })
  const { versions } = (await api('GET', '/v1/schema/versions')).body
  const before = versions.find((one) => one.etag === etag)
  await page.reload()
  await page.locator('.class-box').first().waitFor()
  await choose(page, 'Classes', 'gene')
  const puts = await held(page, '**/v1/schema/draft?*', 'PUT')
  await label(page).fill('locus')
  await eventually(puts.begun, 1)
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.locator('.versions li', { has: page.getByRole('heading', { name: `Version ${before.version}`, exact: true }) }).getByRole('button', { name: 'Restore' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.impact').waitFor()
  await dialog.getByLabel('Your name').fill('Ada')
  await dialog.getByLabel('Why').fill('as it was')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await afterSaves(page)
  puts.release()
  await page.getByText(/Published as version/).waitFor()
  await page.getByRole('treeitem', { name: 'locus', exact: true }).waitFor()
  await page.getByText('Somebody else published since this draft began.').waitFor()
  await eventually(async () => (await draft())?.schema.classes.some((one) => one.labels.some(({ text }) => text === 'locus')), true)
})
