import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, base, eventually, open } from './browser.mjs'
import { upload } from './upload.mjs'

const there = async (path) => (await fetch(`${base}${path}`)).ok

test('what the service does not offer yet is said quietly', async (t) => {
  const page = await open(t, 'review')
  for (const [path, heading, words] of [
    ['/v1/identity', 'Are these the same?', 'This service does not compare entities yet.'],
    ['/v1/schema/suggestions', 'Suggested terms', 'This service does not suggest terms yet.'],
  ]) {
    const section = page.getByRole('region', { name: heading })
    await section.waitFor()
    if (await there(path)) assert.equal(await section.getByText(words).count(), 0)
    else await section.getByText(words).waitFor()
  }
  assert.equal(await page.getByRole('alert').count(), 0)
})

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

const evidence = [{ document: 'a.md', start: 0, end: 3, quote: '<i>', extractor: 'wording', confidence: 0.5 }]

test('an accepted suggestion is in the draft', async (t) => {
  const page = await open(t, 'ask')
  const suggestion = { id: 's1', kind: 'relation', label: 'sponsored by', domain: 'https://example.org/factmask/Company', range: null, count: 3, evidence, state: 'open' }
  let [draft, state] = [null, 'open']
  await page.route('**/v1/schema/suggestions**', (route) => {
    if (route.request().method() === 'PUT') state = route.request().postDataJSON().state
    return route.fulfill({ json: { suggestions: [{ ...suggestion, state }] } })
  })
  await page.route('**/v1/schema/draft?*', (route) => {
    if (route.request().method() !== 'PUT') return route.fulfill({ status: 404, json: {} })
    draft = route.request().postDataJSON()
    return route.fulfill({ status: 204 })
  })
  await page.goto(`${base}/#/review`)
  await page.getByRole('button', { name: 'Accept into the draft' }).click()
  await page.getByRole('button', { name: 'Open again' }).waitFor()
  const relation = draft.schema.relations.find((one) => one.iri.endsWith('/sponsoredBy'))
  assert.equal(relation.domain, suggestion.domain)
  assert.deepEqual(relation.labels, [{ lang: 'en', text: 'sponsored by' }])
})
