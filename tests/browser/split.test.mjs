import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, eventually, open, tabTo } from './browser.mjs'
import { choose, draft, editor, ns, pickOption, reset, schema } from './editor.mjs'
import { upload } from './upload.mjs'

const subjects = async (query) => new Set((await api('GET', '/v1/facts', { query: { limit: 200, ...query } })).body.facts.map(({ subject }) => subject.iri))
const total = async (query) => (await api('GET', '/v1/facts', { query: { limit: 1, ...query } })).body.total

async function publish(page, reason, look = async () => {}) {
  await page.getByText(/draft saved/).waitFor()
  await page.getByRole('button', { name: 'Preview and publish…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.impact').waitFor()
  await look(dialog)
  await dialog.getByLabel('Your name').fill('Ada')
  await dialog.getByLabel('Why').fill(reason)
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText(/Published as version/).waitFor()
  await dialog.waitFor({ state: 'detached' })
}

test('a class is split by what is said of its entities, previewed, published, and taken back', async (t) => {
  await upload(t, { 'globodyne.csv': 'company,headquarters\nGlobodyne,Paris\n' })
  const page = await editor(t)
  const { etag } = await schema()
  const founded = await subjects({ class: `${ns}Company`, relation: `${ns}founder` })
  const all = await subjects({ class: `${ns}Company` })
  assert.ok(founded.size > 0 && founded.size < all.size)

  await choose(page, 'Classes', 'company')
  await page.getByRole('button', { name: 'Split…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Split company' })
  await dialog.getByLabel('Name of the new term').fill('founded company')
  assert.equal(await dialog.getByLabel('IRI').inputValue(), `${ns}FoundedCompany`)
  await pickOption(page, 'Relation', 'founder')
  await accessible(page, 'a split')
  await dialog.getByRole('button', { name: 'Split', exact: true }).click()
  await page.getByText('Part of company comes here: entities of which “founder” is said.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('treeitem', { name: 'founded company' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Redo' }).click()
  await choose(page, 'Classes', 'founded company')
  await eventually(async () => (await draft())?.splits, [{ kind: 'class', from: `${ns}Company`, to: `${ns}FoundedCompany`, when: { has_relation: `${ns}founder` } }])
  await page.reload()
  await choose(page, 'Classes', 'company')
  await page.getByText('A part goes to founded company', { exact: false }).waitFor()

  await publish(page, 'some have founders', async (dialog) => {
    await dialog.locator('.changes li', { hasText: 'founded company' }).first().waitFor()
    const moves = Number(await dialog.locator('.counts div', { hasText: 'Entities that move' }).locator('dd').innerText())
    assert.ok(moves >= founded.size, `${moves} move, in each document that says what they are`)
  })
  assert.deepEqual(await subjects({ class: `${ns}FoundedCompany` }), founded)
  assert.equal(await draft(), null)

  await page.getByRole('button', { name: 'Versions' }).click()
  const { versions } = (await api('GET', '/v1/schema/versions')).body
  const old = versions.find((one) => one.etag === etag)
  await page.locator('.versions li', { has: page.getByRole('heading', { name: `Version ${old.version}`, exact: true }) }).getByRole('button', { name: 'Restore' }).click()
  const restore = page.getByRole('dialog')
  await restore.locator('.impact').waitFor()
  await restore.getByLabel('Why').fill('one kind is enough')
  await restore.getByRole('button', { name: 'Restore' }).click()
  await restore.waitFor({ state: 'detached' })
  assert.deepEqual(await subjects({ class: `${ns}Company` }), all)
  assert.equal((await subjects({ class: `${ns}FoundedCompany` })).size, 0)
})

test('a relation is split by the class of what it is said of, and a rebase keeps the split', async (t) => {
  const page = await editor(t)
  const before = await total({ relation: `${ns}headquarters` })
  const ofCompanies = await total({ relation: `${ns}headquarters`, class: `${ns}Company` })
  assert.ok(ofCompanies > 0 && ofCompanies < before)
  await choose(page, 'Relations', 'headquarters')
  await page.getByRole('button', { name: 'Split…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Split headquarters' })
  await dialog.getByLabel('Name of the new term').fill('company seat')
  await dialog.getByLabel('Facts about entities of a class').check()
  await pickOption(page, 'Class', 'company')
  await dialog.getByRole('button', { name: 'Split', exact: true }).click()
  await page.getByText(/draft saved/).waitFor()

  const { schema: theirs, etag } = await schema()
  const other = { ...theirs, classes: theirs.classes.map((one) => (one.iri === `${ns}Drug` ? { ...one, aliases: [...one.aliases, { lang: 'en', text: 'pharmaceutical' }] } : one)) }
  await api('POST', '/v1/schema/publish', { json: { base: etag, schema: other, renames: [], author: 'Bob', reason: 'another word' } })
  await page.getByRole('button', { name: 'Preview and publish…' }).click()
  const stale = page.getByRole('dialog', { name: 'Somebody else published first' })
  await stale.getByRole('button', { name: 'Put my edits on the new schema' }).click()
  await stale.getByText('none touched what they changed', { exact: false }).waitFor()
  await stale.getByRole('button', { name: 'Go on' }).click()
  await publish(page, 'companies have seats')
  assert.equal(await total({ relation: `${ns}companySeat` }), ofCompanies)
  assert.equal(await total({ relation: `${ns}headquarters` }), before - ofCompanies)
})

test('a class is split by chosen entities, by keyboard alone', async (t) => {
  await reset()
  t.after(reset)
  const page = await open(t, 'schema')
  const { keyboard } = page
  await page.locator('.class-box').first().waitFor()
  await tabTo(page, page.locator('.react-flow__node', { has: page.locator('strong', { hasText: /^company$/ }) }))
  await keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Split…' }))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Split company' })
  await dialog.waitFor()
  await keyboard.type('fruit company')
  await tabTo(page, dialog.getByLabel('Entities of which a relation is said', { exact: true }))
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await tabTo(page, dialog.getByRole('searchbox'))
  await keyboard.type('apple')
  await tabTo(page, dialog.getByRole('combobox', { name: 'Entities' }))
  await keyboard.press('ArrowDown')
  await dialog.getByRole('option', { name: 'Apple Inc.' }).waitFor()
  await keyboard.type('Apple')
  await keyboard.press('Enter')
  await dialog.locator('.chip', { hasText: 'Apple Inc.' }).waitFor()
  await tabTo(page, dialog.getByRole('button', { name: 'Split', exact: true }))
  await keyboard.press('Enter')
  await eventually(async () => (await draft())?.splits?.[0]?.when, { entities: [`${ns}entity/apple`] })
})
