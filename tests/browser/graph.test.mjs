import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, open } from './browser.mjs'

const apple = 'https://example.org/factmask/entity/apple'

test('facts are found by their words, and lead to entities and sources', async (t) => {
  const page = await open(t, 'graph')
  await page.getByRole('searchbox').fill('cupertino')
  await page.keyboard.press('Enter')
  const { body } = await api('GET', '/v1/facts', { query: { text: 'cupertino' } })
  assert.ok(body.total > 0)
  await page.getByText(`${body.total} fact`, { exact: false }).first().waitFor()
  assert.equal(await page.locator('.fact-table tbody tr').count(), Math.min(50, body.total))
  await accessible(page, 'facts found')
  await page.getByRole('link', { name: 'Apple Inc.' }).first().click()
  await page.getByRole('heading', { name: 'Apple Inc.' }).waitFor()
})

test('an entity shows its facts with evidence, and its neighbours on a canvas that is walked by keyboard', async (t) => {
  const page = await open(t, `graph?entity=${encodeURIComponent(apple)}`)
  const { body } = await api('GET', `/v1/entities/${encodeURIComponent(apple)}`, { query: { limit: 50 } })
  await page.getByRole('heading', { name: `What is said of it (${body.facts_of.total})` }).waitFor()
  assert.equal(await page.locator('.fact-table').first().locator('tbody tr').count(), body.facts_of.facts.length)
  const neighbours = new Set(body.facts_of.facts.map((fact) => fact.object.iri).filter(Boolean))
  await page.locator('.thing').nth(neighbours.size).waitFor()
  assert.equal(await page.locator('.thing.entity').count(), neighbours.size + 1)
  await accessible(page, 'an entity')
  await page.locator('.react-flow__node', { hasText: 'Cupertino' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Cupertino' }).waitFor()
  await page.getByRole('heading', { name: /What refers to it/ }).waitFor()
})

test('SPARQL gives a table, a yes or no, or what is wrong with the query', async (t) => {
  const page = await open(t, 'graph?sparql=')
  const box = page.getByRole('textbox', { name: 'SPARQL query' })
  await box.fill(`SELECT ?founder WHERE { <${apple}> <https://example.org/factmask/founder> ?founder }`)
  await box.press('Control+Enter')
  await page.locator('table').getByRole('link', { name: 'Steve Wozniak' }).waitFor()
  await accessible(page, 'a table')
  await box.fill(`ASK { <${apple}> ?relation ?value }`)
  await box.press('Control+Enter')
  await page.locator('.panel', { hasText: 'Yes' }).waitFor()
  await box.fill('SELECT nonsense')
  await box.press('Control+Enter')
  await page.getByRole('alert').waitFor()
  await box.fill('DELETE WHERE { ?s ?p ?o }')
  await box.press('Control+Enter')
  await page.getByRole('alert').waitFor()
})
