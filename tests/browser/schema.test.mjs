import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, base, escape, eventually, open, still } from './browser.mjs'
import { choose, editor, ns, pickOption, schema } from './editor.mjs'

const total = async (query) => (await api('GET', '/v1/facts', { query: { limit: 1, ...query } })).body.total

/** Opens the preview, reads it, and publishes. */
async function publish(page, reason, look = async () => {}) {
  await page.getByText(/draft saved/).waitFor()
  await page.getByRole('button', { name: 'Preview and publish…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.impact').waitFor()
  await look(dialog)
  await dialog.getByLabel('Your name').fill('Ada')
  await dialog.getByLabel('Why').fill(reason)
  const reply = answered(page, '/v1/schema/publish')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  const told = await reply
  await page.getByText(`Published as version ${told.version}.`).waitFor()
  await dialog.waitFor({ state: 'detached' })
  return told
}

/** What the service answers to the page's next such request. */
async function answered(page, path) {
  const reply = await page.waitForResponse((one) => one.url().includes(path) && one.request().method() === 'POST')
  assert.equal(reply.status(), 200)
  return reply.json()
}

const figure = (dialog, name) => dialog.locator('.counts div', { hasText: name }).locator('dd').innerText().then(Number)

test('an edit that breaks three facts is previewed, published and rolled back', async (t) => {
  const page = await editor(t)
  await page.getByRole('button', { name: '+ relation' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('sister city')
  assert.equal(await dialog.getByLabel('IRI').inputValue(), `${ns}sisterCity`)
  await pickOption(page, 'Domain', 'city')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await pickOption(page, 'Class of the range', 'city')
  await page.getByRole('button', { name: 'Add: statement wordings' }).click()
  await page.getByLabel('Statement wordings 1', { exact: true }).fill('{s} is a sister city of {o}.')
  await publish(page, 'cities have sisters', async (dialog) => {
    await dialog.getByText('sister city', { exact: false }).first().waitFor()
    await dialog.getByRole('heading', { name: 'No fact breaks a rule' }).waitFor()
    await accessible(page, 'a preview')
  })

  const form = new FormData()
  const words = ['Berlin is a sister city of Paris.', 'Munich is a sister city of Bordeaux.', 'Paris is a sister city of Rome.']
  form.append('files', new Blob([`${words.join('\n\n')}\n`], { type: 'text/plain' }), 'sisters.txt')
  await api('DELETE', '/v1/documents/sisters.txt').catch(() => {})
  const sent = await fetch(`${base}/v1/documents`, { method: 'POST', body: form })
  assert.ok(sent.ok)
  t.after(() => api('DELETE', '/v1/documents/sisters.txt'))
  assert.equal(await total({ relation: `${ns}sisterCity` }), 3)

  await choose(page, 'Relations', 'sister city')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  let foreseen
  const told = await publish(page, 'no more sisters', async (dialog) => {
    const block = dialog.locator('.notice', { has: page.getByRole('heading', { name: '3 facts break a rule; they stay, and are shown here' }) })
    await block.waitFor()
    assert.equal(await block.locator('li').count(), 3)
    foreseen = await figure(dialog, 'Documents to read again')
  })
  assert.equal(told.unfit.reduce((sum, { facts }) => sum + facts.count, 0), 3, 'what was foreseen is what was done')
  assert.equal(told.documents_to_read_again, foreseen)
  assert.ok(!(await schema()).schema.relations.some((one) => one.iri === `${ns}sisterCity`))

  await page.getByRole('button', { name: 'Versions' }).click()
  const versions = (await api('GET', '/v1/schema/versions')).body
  const back = versions.versions.find((one) => one.reason === 'cities have sisters')
  const entry = page.locator('.versions li', { has: page.getByRole('heading', { name: `Version ${back.version}`, exact: true }) })
  await entry.getByText('Ada').waitFor()
  await accessible(page, 'versions')
  await entry.getByRole('button', { name: 'Restore' }).click()
  const restore = page.getByRole('dialog')
  await restore.locator('.impact').waitFor()
  await restore.getByLabel('Why').fill('they are back')
  const reply = answered(page, '/restore')
  await restore.getByRole('button', { name: 'Restore' }).click()
  await page.getByText(`Published as version ${(await reply).version}.`).waitFor()
  assert.ok((await schema()).schema.relations.some((one) => one.iri === `${ns}sisterCity`))
  await page.getByRole('button', { name: /^Relations/ }).click()
  await page.getByRole('option', { name: 'sister city' }).waitFor()
})

test('a relation is renamed, and its facts move', async (t) => {
  const page = await editor(t)
  const before = await total({ relation: `${ns}founder` })
  assert.ok(before > 0)
  await choose(page, 'Relations', 'founder')
  const iri = page.getByRole('textbox', { name: 'IRI' })
  await iri.fill(`${ns}headquarters`)
  await page.getByText('Another term has this IRI').waitFor()
  await iri.fill(`${ns}foundedBy`)
  await iri.press('Enter')
  await page.getByText('Published as founder: its facts move here.').waitFor()
  let foreseen
  await publish(page, 'a better name', async (dialog) => {
    foreseen = await figure(dialog, 'Facts that move')
  })
  assert.ok(foreseen >= before, 'each statement of a fact moves')
  assert.equal(await total({ relation: `${ns}foundedBy` }), before)
  assert.equal(await total({ relation: `${ns}founder` }), 0)
  const { body } = await api('POST', '/v1/answers', { json: { question: 'Who founded Apple?' } })
  assert.equal(body.status, 'answered')

  // A schema that is put back moves no facts; a rename back does.
  const { schema: now, etag } = await schema()
  const back = { ...now, relations: now.relations.map((one) => (one.iri === `${ns}foundedBy` ? { ...one, iri: `${ns}founder` } : one)) }
  await api('POST', '/v1/schema/publish', { json: { base: etag, schema: back, renames: [{ kind: 'relation', from: `${ns}foundedBy`, to: `${ns}founder` }], author: 'Ada', reason: 'back' } })
  assert.equal(await total({ relation: `${ns}founder` }), before)
})

test('a stale publish shows what the other did, and loses no edit of either', async (t) => {
  const page = await editor(t)
  await choose(page, 'Classes', 'gene')
  await page.getByRole('button', { name: 'Add: aliases' }).click()
  await page.locator('.texts', { hasText: 'Aliases' }).locator('[data-words]').last().fill('genetic locus')
  await page.getByText(/draft saved/).waitFor()

  // Somebody else publishes in the meantime.
  const { schema: theirs, etag } = await schema()
  const other = { ...theirs, classes: theirs.classes.map((one) => (one.iri === `${ns}Drug` ? { ...one, aliases: [...one.aliases, { lang: 'en', text: 'pharmaceutical' }] } : one)) }
  await api('POST', '/v1/schema/publish', { json: { base: etag, schema: other, renames: [], author: 'Bob', reason: 'another word' } })

  await page.getByRole('button', { name: 'Preview and publish…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Somebody else published first' })
  await dialog.getByText(/drug/i).first().waitFor()
  await accessible(page, 'a stale publish')
  await dialog.getByRole('button', { name: 'Put my edits on the new schema' }).click()
  await dialog.getByText('none touched what they changed', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await publish(page, 'mine too')
  const now = (await schema()).schema
  const aliases = (name) => now.classes.find((one) => one.iri === ns + name).aliases.map((alias) => alias.text)
  assert.ok(aliases('Gene').includes('genetic locus'))
  assert.ok(aliases('Drug').includes('pharmaceutical'))
})

test('a draft is there again on another day, and a stale one offers its edits', async (t) => {
  const page = await editor(t)
  await choose(page, 'Classes', 'disease')
  await page.getByLabel('Labels 1', { exact: true }).fill('illness')
  await page.getByText(/draft saved/).waitFor()
  await page.reload()
  await page.getByRole('treeitem', { name: 'illness' }).waitFor()

  const draft = (await api('GET', '/v1/schema/draft')).body
  const { schema: theirs, etag } = await schema()
  const other = { ...theirs, classes: theirs.classes.map((one) => (one.iri === `${ns}Disease` ? { ...one, labels: one.labels.map((label) => (label.lang === 'en' ? { ...label, text: 'disorder' } : label)) } : one)) }
  await api('POST', '/v1/schema/publish', { json: { base: etag, schema: other, renames: [], author: 'Bob', reason: 'another label' } })
  await api('PUT', '/v1/schema/draft', { json: draft })
  await page.reload()
  await page.getByRole('treeitem', { name: 'illness' }).waitFor()
  await page.getByRole('button', { name: 'Put my edits on the new schema' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Put my edits on the new schema' }).click()
  await page.getByRole('dialog').getByText(/stand on the new schema/).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('treeitem', { name: /illness|disorder/ }).waitFor()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.getByRole('treeitem', { name: 'disorder' }).waitFor()
  await eventually(async () => (await fetch(`${base}/v1/schema/draft`)).status, 404)
})

test('Turtle and forms follow each other, and a fault stands at its line', async (t) => {
  const page = await editor(t)
  await page.getByRole('button', { name: 'Turtle', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'The schema as Turtle' })
  await text.waitFor()
  const turtle = await text.inputValue()
  // Chromium takes seconds to fill in a long text as a whole.
  const end = async (from, words) => {
    await text.focus()
    await text.evaluate((area, at) => area.setSelectionRange(at, area.value.length), from)
    await page.keyboard.insertText(words)
  }
  const added = `\n<${ns}Planet> a <http://www.w3.org/2000/01/rdf-schema#Class> ;\n    <http://www.w3.org/2000/01/rdf-schema#label> "planet"@en .\n`
  await end(turtle.length, added)
  await page.getByRole('treeitem', { name: 'planet' }).waitFor()
  assert.equal(await text.inputValue(), turtle + added, 'what is typed stands as it was typed')

  const faulty = `${turtle}\n<${ns}Moon> a <http://www.w3.org/2000/01/rdf-schema#Class>\n<${ns}x> .\n`
  await end(turtle.length, faulty.slice(turtle.length))
  const fault = page.locator('.turtle-faults li').first()
  await fault.waitFor()
  const line = Number((await fault.getByRole('button').innerText()).match(/\d+/)[0])
  assert.ok(line > turtle.split('\n').length - 1 && line <= faulty.split('\n').length, `line ${line}`)
  await fault.getByRole('button').click()
  await page.locator('.gutter .faulty', { hasText: String(line) }).waitFor()
  await accessible(page, 'a fault in Turtle')
  // The faulty text is not lost by a look at something else.
  await page.getByRole('button', { name: 'Canvas', exact: true }).click()
  await page.getByText('The Turtle text has faults').waitFor()
  await page.locator('.schema-notices').getByRole('button', { name: 'Turtle' }).click()
  assert.equal(await text.inputValue(), faulty)

  await end(turtle.length, added)
  await page.getByText('No faults.', { exact: false }).waitFor()
  await choose(page, 'Classes', 'planet')
  await page.getByLabel('Labels 1', { exact: true }).fill('wandering star')
  await eventually(async () => (await text.inputValue()).includes('"wandering star"@en'), true)
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.getByRole('treeitem', { name: 'wandering star' }).waitFor({ state: 'detached' })
})

test('classes are dragged to place and to connect, and all is undone', async (t) => {
  const page = await editor(t)
  const box = (name) => page.locator('.react-flow__node', { has: page.locator('strong', { hasText: new RegExp(`^${name}$`) }) })
  const at = () => box('gene').evaluate((node) => node.style.transform)
  const begun = await at()
  const from = await still(box('gene'))
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 40, from.y + from.height / 2 + 30, { steps: 6 })
  await page.mouse.up()
  await eventually(async () => (await at()) !== begun, true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(at, begun)

  const start = await still(box('disease').locator('.react-flow__handle.source'))
  const end = await still(box('person').locator('.react-flow__handle.target'))
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2]
  await page.mouse.move(...middle(start))
  await page.mouse.down()
  await page.mouse.move(...middle(end), { steps: 10 })
  await page.mouse.up()
  const dialog = page.getByRole('dialog', { name: 'Connect disease' })
  await dialog.getByLabel('Name').fill('discovered by')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('heading', { name: /discovered by/ }).waitFor()
  await page.locator('.edge-label', { hasText: 'discovered by' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.edge-label', { hasText: 'discovered by' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.locator('.edge-label', { hasText: 'discovered by' }).waitFor()
})

test('a hostile schema is text, is told of, and breaks nothing', async (t) => {
  const page = await editor(t)
  const evil = '<img src=x onerror=window.pwned=1>'
  const head = '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n'
  const take = (name, text) => page.locator('input[type=file]').setInputFiles([{ name, mimeType: 'text/turtle', buffer: Buffer.from(text) }])
  await take('evil.ttl', `${head}<urn:e:A> a rdfs:Class ; rdfs:label "${evil}"@en .\n`)
  await page.getByRole('treeitem', { name: evil }).waitFor()
  await page.locator('.class-box', { hasText: evil }).waitFor()
  assert.equal(await page.evaluate(() => window.pwned), undefined)
  assert.equal(await page.locator('main img').count(), 0)

  await take('long.ttl', `${head}<urn:e:L> a rdfs:Class ; rdfs:label "${'long '.repeat(2_000)}"@en .\n`)
  const long = page.locator('.class-box', { hasText: 'long long' })
  await long.waitFor()
  assert.ok((await long.boundingBox()).width < 400, 'a box of bounded width')
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.class-box', { hasText: evil }).waitFor()

  await take('cycle.ttl', `${head}<urn:e:A> a rdfs:Class ; rdfs:subClassOf <urn:e:B> .\n<urn:e:B> a rdfs:Class ; rdfs:subClassOf <urn:e:A> .\n`)
  const noted = page.getByRole('dialog', { name: /^cycle.ttl was taken/ })
  await noted.locator('li', { hasText: 'subclass of itself' }).first().waitFor()
  await escape(page)
  await page.getByText('1 statement that the editor does not understand', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await take('nonsense.json', '{"classes": 3}')
  await page.getByRole('dialog', { name: 'nonsense.json was not taken' }).waitFor()
  await escape(page)
  await take('nonsense.ttl', '\u0000\u0001 this is no Turtle')
  await page.getByRole('dialog', { name: 'nonsense.ttl was not taken' }).waitFor()
  await escape(page)
  await page.getByRole('treeitem', { name: evil }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('treeitem', { name: 'company', exact: true }).waitFor()
})

test('a schema leaves as Turtle and as JSON, and comes back the same', async (t) => {
  const page = await editor(t)
  const read = async (name) => {
    await page.getByText('Files').click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
    const stream = await download.createReadStream()
    let text = ''
    for await (const part of stream) text += part
    return text
  }
  const given = (await schema()).schema
  const json = await read('Export JSON')
  assert.deepEqual(JSON.parse(json), given)
  const { body } = await api('POST', '/v1/schema/check', { turtle: await read('Export Turtle') })
  assert.deepEqual(body.faults, [])
  assert.deepEqual(body.schema, given)

  // What the editor does not understand of an ontology goes through it untouched.
  const foreign = '<urn:o:Cat> <http://www.w3.org/2002/07/owl#disjointWith> <urn:o:Dog> .'
  const text = `@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n<urn:o:Cat> a rdfs:Class ; rdfs:label "cat"@en .\n<urn:o:Dog> a rdfs:Class ; rdfs:label "dog"@en .\n${foreign}\n`
  await page.locator('input[type=file]').setInputFiles([{ name: 'pets.ttl', mimeType: 'text/turtle', buffer: Buffer.from(text) }])
  await page.getByRole('dialog', { name: /^pets.ttl was taken/ }).waitFor()
  await escape(page)
  await page.getByRole('treeitem', { name: 'cat' }).click()
  await page.getByLabel('Labels 1', { exact: true }).fill('house cat')
  await page.getByRole('treeitem', { name: 'house cat' }).waitFor()
  const again = await api('POST', '/v1/schema/import', { turtle: await read('Export Turtle') })
  assert.deepEqual(again.body.schema.kept, [foreign])
  assert.ok(again.body.schema.classes.some((one) => one.labels[0]?.text === 'house cat'))
})
