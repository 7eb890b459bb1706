import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, eventually, open, tabTo } from './browser.mjs'
import { choose, draft, editor, ns, reset, schema } from './editor.mjs'
import { upload } from './upload.mjs'

const rules = (page) => page.getByRole('region', { name: 'Rules' })
const rule = (page, name) => rules(page).getByRole('listitem').filter({ has: page.locator('summary strong', { hasText: new RegExp(`^${name}$`) }) })

async function add(page, name) {
  const box = page.getByRole('combobox', { name: 'Add a rule for' })
  await box.click()
  await box.fill(name)
  await page.getByRole('option', { name, exact: true }).click()
  await rule(page, name).locator('.rule-form').waitFor()
}

const group = (one, name) => one.locator('.rule-group > summary', { hasText: name }).click()
const rulesOf = async (name) => (await draft())?.schema.classes.find(({ iri }) => iri === ns + name)?.rules

test('a rule asks all that SHACL lets it ask, in plain words, and the draft has it', async (t) => {
  const page = await editor(t)
  await choose(page, 'Classes', 'company')
  await add(page, 'revenue')
  const revenue = rule(page, 'revenue')
  await revenue.getByLabel('At least sh:minCount').fill('1')
  await revenue.getByLabel('At most sh:maxCount').fill('40')
  await group(revenue, 'What the values are')
  await revenue.getByLabel('Each is written as').selectOption('number')
  await revenue.getByLabel('Allowed values').fill('5\n7.5')
  await group(revenue, 'Range')
  await revenue.getByLabel('From sh:minInclusive').fill('0')
  await revenue.getByLabel('To: with or without it').selectOption('less than')
  await revenue.getByLabel('To sh:maxExclusive').fill('1000000')
  await group(revenue, 'When it is broken')
  await revenue.getByLabel('How bad that is').selectOption('to be looked at')
  await revenue.getByRole('button', { name: 'Add: what is told' }).click()
  await page.keyboard.type('No such revenue.')

  await add(page, 'its name')
  const name = rule(page, 'its name')
  await group(name, 'Words and languages')
  await name.getByLabel('Matches the pattern').fill('^[A-Z]')
  await name.getByLabel('Read the pattern with').fill('i')
  await name.getByLabel('Shortest').fill('2')
  await name.getByLabel('Longest').fill('80')
  await name.getByLabel('Only in the languages').fill('en, zh')
  await name.getByRole('checkbox', { name: 'At most one for each language' }).check()

  await add(page, 'headquarters')
  const seat = rule(page, 'headquarters')
  await group(seat, 'What the values are')
  const box = seat.getByRole('combobox', { name: 'Each is of the class' })
  await box.click()
  await box.fill('city')
  await page.getByRole('option', { name: 'city', exact: true }).click()
  await seat.getByLabel('Each is sh:nodeKind').selectOption('an entity, no value')
  await seat.getByLabel('Required values').fill(`${ns}entity/berlin`)
  await page.getByRole('checkbox', { name: 'Nothing may be said that no rule names' }).check()

  const expected = [
    { relation: `${ns}revenue`, min_count: 1, max_count: 40, datatype: 'http://www.w3.org/2001/XMLSchema#decimal', one_of: ['5', '7.5'], min_inclusive: '0', max_exclusive: '1000000', severity: 'warning', message: [{ lang: 'en', text: 'No such revenue.' }] },
    { relation: 'http://www.w3.org/2000/01/rdf-schema#label', pattern: '^[A-Z]', flags: 'i', min_length: 2, max_length: 80, language_in: ['en', 'zh'], unique_lang: true },
    { relation: `${ns}headquarters`, class: `${ns}City`, node_kind: 'blank_node_or_iri', has_value: [`<${ns}entity/berlin>`] },
  ]
  // What is false the service says or leaves out.
  const plain = (all) => all?.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== false).sort(([a], [b]) => (a < b ? -1 : 1))))
  await eventually(async () => plain(await rulesOf('Company')), plain(expected))
  assert.equal((await draft()).schema.classes.find(({ iri }) => iri === `${ns}Company`).closed, true)
  await revenue.locator('summary', { hasText: 'at least 1 · at most 40' }).first().waitFor()
  await accessible(page, 'rules')
  assert.ok(await page.locator('.schema-form').evaluate((form) => form.scrollWidth <= form.clientWidth), 'nothing stands beyond the edge')

  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(() => page.getByRole('checkbox', { name: 'Nothing may be said' }).isChecked(), false)
  await page.reload()
  await choose(page, 'Classes', 'company')
  await rule(page, 'headquarters').locator('summary', { hasText: 'city' }).first().waitFor()
})

test('what a rule cannot ask is told at its field, as it is typed', async (t) => {
  const page = await editor(t)
  await choose(page, 'Classes', 'company')
  await add(page, 'headquarters')
  await add(page, 'revenue')
  const revenue = rule(page, 'revenue')
  await revenue.getByLabel('At least sh:minCount').fill('many')
  await revenue.getByText('This is no whole number from 0.').waitFor()
  await revenue.getByLabel('At least sh:minCount').fill('3')
  await revenue.getByLabel('At most sh:maxCount').fill('2')
  const most = revenue.getByLabel('At most sh:maxCount')
  await eventually(() => most.getAttribute('aria-invalid'), 'true')
  await revenue.getByText(/less than sh:minCount 3/).waitFor()
  await page.getByText('1 fault', { exact: true }).first().waitFor()
  assert.equal(await rule(page, 'headquarters').locator('.tag.bad').count(), 0, 'the fault is of one rule alone')
  await group(revenue, 'Words and languages')
  await revenue.getByLabel('Matches the pattern').fill('(')
  await eventually(() => revenue.getByLabel('Matches the pattern').getAttribute('aria-invalid'), 'true')
  await accessible(page, 'a faulty rule')
  await most.fill('3')
  await revenue.getByLabel('Matches the pattern').fill('')
  await page.getByText('valid', { exact: false }).first().waitFor()
  await eventually(() => revenue.locator('.tag.bad').count(), 0)
})

test('rules are published, what breaks them is foreseen, and a removed relation takes its rules along', async (t) => {
  await upload(t, { 'globodyne.csv': 'company,headquarters\nGlobodyne,Paris\n' })
  const page = await editor(t)
  await choose(page, 'Classes', 'company')
  await add(page, 'founder')
  await rule(page, 'founder').getByLabel('At least sh:minCount').fill('1')
  await page.getByText(/draft saved/).waitFor()
  await page.getByRole('button', { name: 'Preview and publish…' }).click()
  const dialog = page.getByRole('dialog')
  const broken = dialog.locator('.notice', { has: page.getByRole('heading', { name: /broken .*; the facts stay/ }) })
  await broken.waitFor()
  const { body } = await api('POST', '/v1/schema/preview', { json: { schema: (await draft()).schema, base: (await draft()).base, renames: [], author: '', reason: '', lang: 'en' } })
  await broken.getByRole('heading', { name: new RegExp(`broken ${body.broken_rules.count === 1 ? 'once' : `${body.broken_rules.count} times`};`) }).waitFor()
  assert.ok(body.broken_rules.first.length > 0)
  await broken.getByText(body.broken_rules.first[0].message, { exact: false }).first().waitFor()
  await accessible(page, 'broken rules')
  await dialog.getByLabel('Your name').fill('Ada')
  await dialog.getByLabel('Why').fill('somebody must have founded it')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText(/Published as version/).waitFor()
  assert.deepEqual((await schema()).schema.classes.find(({ iri }) => iri === `${ns}Company`).rules.map(({ relation, min_count }) => [relation, min_count]), [[`${ns}founder`, 1]])

  await choose(page, 'Relations', 'founder')
  const iri = page.getByRole('textbox', { name: 'IRI' })
  await iri.fill(`${ns}foundedBy`)
  await iri.press('Enter')
  await eventually(async () => (await rulesOf('Company'))?.map(({ relation }) => relation), [`${ns}foundedBy`])
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('founder is removed, and one rule about it with it: of company.', { exact: false }).waitFor()
  await eventually(async () => (await rulesOf('Company'))?.length, 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => (await rulesOf('Company'))?.length, 1)
})

test('rules leave as SHACL and come back, and SHACL of others is read', async (t) => {
  const page = await editor(t)
  const shapes = `@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<urn:e:Boat> a rdfs:Class, sh:NodeShape ; rdfs:label "boat"@en ; sh:property [ sh:path <urn:e:length> ; sh:minCount 1 ; sh:minExclusive 2.5 ] .
<urn:e:length> a <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property> ; rdfs:label "length"@en ; rdfs:range xsd:decimal .
`
  await page.locator('input[type=file]').setInputFiles([{ name: 'boats.ttl', mimeType: 'text/turtle', buffer: Buffer.from(shapes) }])
  await page.getByRole('treeitem', { name: 'boat' }).click()
  await rule(page, 'length').locator('summary', { hasText: 'at least 1 · more than 2.5' }).first().waitFor()
  await page.getByText('Files', { exact: true }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export SHACL' }).click()])
  let text = ''
  for await (const part of await download.createReadStream()) text += part
  const { body } = await api('POST', '/v1/schema/import', { turtle: text })
  const boat = body.schema.classes.find(({ iri }) => iri === 'urn:e:Boat')
  assert.ok(boat.rules.some((one) => one.relation === 'urn:e:length' && one.min_count === 1 && one.min_exclusive === '2.5'), JSON.stringify(boat))
})

test('a rule is made, worked and removed by keyboard alone', async (t) => {
  await reset()
  const page = await open(t, 'schema')
  const { keyboard } = page
  await page.locator('.class-box').first().waitFor()
  const box = page.locator('.react-flow__node', { has: page.locator('strong', { hasText: /^company$/ }) })
  await tabTo(page, box)
  await keyboard.press('Enter')
  await tabTo(page, page.getByRole('combobox', { name: 'Add a rule for' }))
  await keyboard.type('founder')
  await keyboard.press('Enter')
  await rule(page, 'founder').waitFor()
  await tabTo(page, rule(page, 'founder').getByLabel('At least sh:minCount'), { back: true })
  await keyboard.type('2')
  await eventually(async () => (await rulesOf('Company'))?.[0]?.min_count, 2)
  const words = rule(page, 'founder').locator('.rule-group > summary', { hasText: 'Words' })
  await tabTo(page, words)
  await keyboard.press('Enter')
  await tabTo(page, rule(page, 'founder').getByLabel('Shortest'))
  await keyboard.type('3')
  await eventually(async () => (await rulesOf('Company'))?.[0]?.min_length, 3)
  await tabTo(page, page.getByRole('button', { name: 'Remove the rule for founder' }))
  await keyboard.press('Enter')
  await eventually(async () => (await rulesOf('Company'))?.length ?? 0, 0)
})

for (const theme of ['light', 'dark']) {
  test(`rules and a split have no fault that axe finds in Chinese, ${theme}, narrow`, async (t) => {
    const page = await editor(t, { theme, width: 360, height: 740, lang: 'zh' })
    await page.getByRole('treeitem', { name: '公司', exact: true }).click()
    const box = page.getByRole('combobox', { name: '添加规则，针对' })
    await box.click()
    await box.fill('总部')
    await page.keyboard.press('Enter')
    await page.locator('.rule-group').first().waitFor()
    await page.locator('.rule-group').evaluateAll((groups) => groups.forEach((one) => (one.open = true)))
    await page.getByLabel('下限 sh:minInclusive').fill('很多')
    await page.getByText('不是这种值的写法', { exact: false }).waitFor()
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    await accessible(page, 'rules, 360 pixels')
    assert.equal(await width(), 360)
    assert.ok(await page.locator('.schema-form').evaluate((form) => form.scrollWidth <= form.clientWidth), 'nothing stands beyond the edge')
    await page.getByRole('button', { name: '拆分…' }).click()
    for (const way of await page.getByRole('dialog').getByRole('radio').all()) {
      await way.check()
      await accessible(page, 'a split, 360 pixels')
      assert.equal(await width(), 360)
    }
  })
}
