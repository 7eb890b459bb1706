import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, escape, eventually, open, openAt } from './browser.mjs'
import { draft, reset } from './editor.mjs'
import { upload } from './upload.mjs'

test('a pair that two documents make is decided on with name and reason, and the decision is taken back', async (t) => {
  const [one, other] = ['globodyne', 'globodyne%20inc.'].map((name) => `urn:factmask:entity:Company:${name}`)
  t.after(() => api('POST', '/v1/identity', { json: { one, other, decision: 'undecided', author: 'Ada', reason: '' } }))
  await upload(t, { 'globodyne.csv': 'company,headquarters\nGlobodyne,Paris\n', 'officers.csv': 'company,chief executive officer\nGlobodyne Inc.,Ann Example\n' })
  const page = await open(t, 'review')
  const region = page.getByRole('region', { name: 'Are these the same?' })
  const row = region.getByRole('listitem', { name: 'Globodyne and Globodyne Inc.' })
  const pair = (await api('GET', '/v1/identity', { query: { state: 'proposed' } })).body.pairs.find((found) => found.one.iri === one && found.other.iri === other)
  const facts = async () => (await api('GET', '/v1/facts', { query: { subject: one } })).body.total
  await row.getByText(pair.reasons[0]).waitFor()
  await row.getByText(`${Math.round(pair.score * 100)}% alike`).waitFor()
  await accessible(page, 'a pair')
  assert.equal(await facts(), 1)

  await page.getByLabel('Your name').fill('Ada')
  await row.getByLabel(/Reason/).fill('one register entry')
  await row.getByRole('button', { name: 'The same' }).click()
  await row.waitFor({ state: 'detached' })
  assert.equal(await facts(), 2, 'what is said of both is said of one')
  await region.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'The same' }).click()
  const decided = region.getByRole('listitem', { name: /Globodyne/ })
  await decided.getByText('decided by hand').waitFor()
  await decided.getByText('one register entry', { exact: false }).waitFor()
  await decided.getByRole('button', { name: 'Take back' }).click()
  await decided.waitFor({ state: 'detached' })
  await region.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'To decide' }).click()
  await row.waitFor()
  assert.equal(await facts(), 1)
})

test('a decision is taken back', async (t) => {
  const [one, other] = ['apple', 'microsoft'].map((name) => `https://example.org/factmask/entity/${name}`)
  const decide = (decision) => api('POST', '/v1/identity', { json: { one, other, decision, author: 'Bob', reason: 'two companies' } })
  await decide('different')
  t.after(() => decide('undecided'))
  const page = await open(t, 'review')
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Different' }).click()
  const row = page.getByRole('listitem', { name: 'Apple Inc. and Microsoft Corporation' })
  await row.waitFor()
  await accessible(page, 'a pair that is kept apart')
  await page.getByLabel('Your name').fill('Ada')
  await row.getByLabel(/Reason/).fill('to be looked at again')
  await row.getByRole('button', { name: 'Take back' }).click()
  await row.waitFor({ state: 'detached' })
  await eventually(async () => (await api('GET', '/v1/identity', { query: { state: 'apart' } })).body.pairs.some((pair) => pair.one.iri === one && pair.other.iri === other), false)
})

test('a column that nothing reads is suggested, accepted into the draft, rejected and opened again', async (t) => {
  const find = async (state) => (await api('GET', '/v1/schema/suggestions', { query: state ? { state } : {} })).body.suggestions.find((one) => one.label === 'anthem')
  // A decision outlives its document: it is taken back while that is there.
  const undecided = async () => {
    const one = await find()
    if (one) await api('PUT', `/v1/schema/suggestions/${one.id}`, { json: { state: 'open' } })
  }
  await reset()
  t.after(async () => {
    await undecided()
    await reset()
  })
  await upload(t, { 'lands.csv': 'Country,Capital,Anthem\nFreedonia,Marxville,Hail\nSylvania,Otherville,Onward\n' })
  await undecided()
  const found = await find('open')
  const page = await open(t, 'review')
  const region = page.getByRole('region', { name: 'Suggested terms' })
  const row = region.getByRole('listitem', { name: 'anthem' })
  await row.getByText(`found ${found.count} times, of ${found.subjects} things · from Country`, { exact: false }).waitFor()
  assert.equal(found.count, 2)
  const { body } = await api('GET', '/v1/schema/suggestions', { query: { state: 'open' } })
  await region.getByText(`${body.total} suggestion`, { exact: false }).waitFor()
  await accessible(page, 'suggestions')
  await openAt(page, row.locator('.citation').first(), found.evidence[0])
  await escape(page)

  const show = (name) => region.getByRole('group', { name: 'Show' }).getByRole('button', { name }).click()
  await row.getByRole('button', { name: 'Reject' }).click()
  await row.waitFor({ state: 'detached' })
  assert.ok(await find('rejected'))
  await show('Rejected')
  await row.getByRole('button', { name: 'Open again' }).click()
  await row.waitFor({ state: 'detached' })
  assert.equal(await draft(), null, 'neither is an edit')

  await show('To decide')
  await row.getByRole('button', { name: 'Accept into the draft' }).click()
  await region.getByText('“anthem” is in the draft.').waitFor()
  assert.ok(await find('accepted'))
  const relation = (await draft()).schema.relations.find((one) => one.iri === found.relation.iri)
  assert.equal(relation.domain, found.domain)
  assert.deepEqual(relation.statements, found.relation.statements, 'with the wordings that it is read by')
  await region.getByRole('link', { name: 'To the draft' }).first().click()
  await page.getByRole('button', { name: /^Relations/ }).click()
  await page.getByRole('option', { name: 'anthem' }).waitFor()
})
