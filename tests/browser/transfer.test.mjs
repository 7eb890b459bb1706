import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessible, api, escape, eventually } from './browser.mjs'
import { editor } from './editor.mjs'

// What an ontology says beyond what the editor knows: a restriction, a union as range, a comment.
const ontology = `@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
<urn:e:Boat> a owl:Class ; rdfs:label "boat"@en ; rdfs:comment "Afloat."@en ;
    rdfs:subClassOf [ a owl:Restriction ; owl:onProperty <urn:e:crew> ; owl:maxCardinality 12 ] .
<urn:e:Person> a owl:Class ; rdfs:label "sailor"@en .
<urn:e:Robot> a owl:Class ; rdfs:label "robot"@en .
<urn:e:crew> a owl:ObjectProperty ; rdfs:label "crew"@en ; rdfs:domain <urn:e:Boat> ;
    rdfs:range [ a owl:Class ; owl:unionOf ( <urn:e:Person> <urn:e:Robot> ) ] .
`

const take = (page, name, text) => page.locator('input[type=file]').setInputFiles([{ name, mimeType: 'text/turtle', buffer: Buffer.from(text) }])

async function exported(page, name) {
  await page.getByText('Files', { exact: true }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  let text = ''
  for await (const part of await download.createReadStream()) text += part
  return text
}

test('an ontology with restrictions is imported, edited, and exported with them', async (t) => {
  const page = await editor(t)
  const { kept } = (await api('POST', '/v1/schema/import', { turtle: ontology })).body.schema
  assert.ok(kept.length > 8)
  await take(page, 'boats.ttl', ontology)
  const dialog = page.getByRole('dialog', { name: 'boats.ttl was taken into the draft' })
  await dialog.getByText(`${kept.length} triples say what the editor does not understand`, { exact: false }).waitFor()
  await dialog.getByText('is not an IRI; rdfs:subClassOf takes one', { exact: false }).waitFor()
  await accessible(page, 'the notes of an import')
  await escape(page)

  await page.getByRole('treeitem', { name: 'boat' }).click()
  await page.getByLabel('Labels 1', { exact: true }).fill('ship')
  const iri = page.getByRole('textbox', { name: 'IRI' })
  await iri.fill('urn:e:Ship')
  await iri.press('Enter')
  await page.getByText(/draft saved/).waitFor()
  await page.reload()
  await page.getByRole('treeitem', { name: 'ship' }).waitFor()
  await page.getByText(`${kept.length} statements that the editor does not understand`, { exact: false }).click()
  await page.locator('.kept', { hasText: 'maxCardinality' }).waitFor()

  const turtle = await exported(page, 'Export Turtle')
  const { body } = await api('POST', '/v1/schema/import', { turtle })
  // The service calls nodes without names by what stands around them, so the same graph reads the same.
  const expected = (await api('POST', '/v1/schema/import', { turtle: ontology.replaceAll('urn:e:Boat', 'urn:e:Ship') })).body.schema.kept
  assert.deepEqual(body.schema.kept, expected, 'no triple is lost, and those about the renamed speak of it by its new name')
  assert.equal(body.schema.classes.find((one) => one.iri === 'urn:e:Ship').labels[0].text, 'ship')

  const json = await exported(page, 'Export JSON')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.locator('.class-box', { hasText: 'company' }).waitFor()
  await take(page, 'boats.json', json)
  await page.getByRole('dialog', { name: 'boats.json was taken into the draft' }).waitFor()
  await escape(page)
  await page.getByRole('treeitem', { name: 'ship' }).waitFor()
  await eventually(async () => (await api('GET', '/v1/schema/draft').catch(() => null))?.body.schema.kept.length, kept.length)
})

test('what is too large is not even sent', async (t) => {
  const page = await editor(t)
  const sent = []
  page.on('request', (request) => sent.push(request.url()))
  const folder = mkdtempSync(join(tmpdir(), 'factmask-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, mebibytes] of [['large.ttl', 17], ['huge.ttl', 100]]) {
    const path = join(folder, name)
    writeFileSync(path, '#')
    truncateSync(path, mebibytes * 1024 * 1024)
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByRole('dialog', { name: `${name} was not taken` }).getByText('larger than 16 MiB', { exact: false }).waitFor()
    await escape(page)
  }
  assert.deepEqual(sent.filter((url) => url.includes('/v1/schema/import')), [])
  // The page goes on.
  await page.getByRole('treeitem', { name: 'company', exact: true }).click()
  await page.getByRole('heading', { name: /company/ }).waitFor()
})

test('labels and rules with scripts in them are text', async (t) => {
  const page = await editor(t)
  const evil = '<img src=x onerror=window.pwned=1><script>window.pwned=1</script>'
  const words = JSON.stringify(evil)
  await take(page, 'evil.ttl', `@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:e:A> a rdfs:Class, sh:NodeShape ; rdfs:label ${words}@en ; sh:property [ sh:path <urn:e:p> ; sh:minCount 1 ; sh:pattern ${words} ; sh:in ( ${words} ) ; sh:message ${words}@en ] .
<urn:e:p> a <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property> ; rdfs:label ${words}@en ; rdfs:range <http://www.w3.org/2001/XMLSchema#string> .
`)
  await page.getByRole('treeitem', { name: evil }).click()
  const rule = page.getByRole('region', { name: 'Rules' }).getByRole('listitem').first()
  await rule.locator('summary').first().click()
  await rule.locator('summary', { hasText: evil }).first().waitFor()
  await page.getByRole('button', { name: 'Split…' }).click()
  await page.getByRole('dialog', { name: `Split ${evil}` }).waitFor()
  await escape(page)
  assert.equal(await page.evaluate(() => window.pwned), undefined)
  assert.equal(await page.locator('main img, main script').count(), 0)
})
