import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, base, eventually, open } from './browser.mjs'

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

// The sample documents leave nothing to propose; a proposal is played.
const evidence = [{ document: 'a.md', start: 0, end: 3, quote: '<i>', extractor: 'wording', confidence: 0.5 }]
const pair = { id: '1', one: { iri: 'urn:a', name: 'ACME <b>' }, other: { iri: 'urn:b', name: 'ACME Inc.' }, score: 0.91, reasons: ['the same city'], state: 'proposed', by: 'rule' }

test('a pair is decided on with name and reason', async (t) => {
  const page = await open(t, 'ask')
  let decided = null
  await page.route('**/v1/identity?*', (route) => {
    if (route.request().method() === 'POST') decided = route.request().postDataJSON()
    return route.fulfill({ json: route.request().method() === 'POST' ? pair : { pairs: decided ? [] : [pair], total: decided ? 0 : 1 } })
  })
  await page.goto(`${base}/#/review`)
  const row = page.getByRole('listitem', { name: 'ACME <b> and ACME Inc.' })
  await row.getByText('the same city').waitFor()
  await accessible(page, 'a pair')
  await page.getByLabel('Your name').fill('Ada')
  await row.getByLabel(/Reason/).fill('one register entry')
  await row.getByRole('button', { name: 'The same' }).click()
  await page.getByText('No pairs here.').waitFor()
  assert.deepEqual(decided, { one: 'urn:a', other: 'urn:b', decision: 'same', author: 'Ada', reason: 'one register entry' })
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
