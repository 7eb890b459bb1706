import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, escape, open, openAt } from './browser.mjs'
import { upload } from './upload.mjs'

async function ask(page, question) {
  const box = page.getByRole('textbox', { name: /Question|问题/ })
  await box.fill(question)
  await box.press('Enter')
  const exchange = page.locator('.exchange').last()
  await exchange.getByRole('heading', { name: question }).waitFor()
  await exchange.locator('.answer, [role=alert]').waitFor()
  return exchange
}

test('an answer has values, sentence and confidence, and each citation opens at its bytes', async (t) => {
  const page = await open(t)
  const question = 'How much did Apple spend on research and development in 2023?'
  const exchange = await ask(page, question)
  const { body } = await api('POST', '/v1/answers', { json: { question, sentence: true } })
  assert.equal(body.status, 'answered')
  assert.equal(await exchange.locator('.values').innerText(), body.text)
  assert.equal(await exchange.locator('.sentence').innerText(), body.sentence.text)
  assert.match(await exchange.locator('.confidence').innerText(), new RegExp(`${Math.round(body.confidence * 100)}%`))
  const evidence = body.facts[0].evidence
  assert.ok(evidence.some((one) => one.document.includes('苹果')), 'one of the sources is Chinese')
  assert.equal(await exchange.locator('.citation').count(), evidence.length)
  for (const [at, one] of evidence.entries()) {
    await openAt(page, exchange.locator('.citation').nth(at), one)
    if (at === 0) await accessible(page, 'a source')
    await escape(page)
  }
})

test('a Chinese question is asked and answered in Chinese', async (t) => {
  const page = await open(t, 'ask', { lang: 'zh' })
  const exchange = await ask(page, '苹果公司2023年研发投入是多少?')
  assert.equal(await exchange.locator('.values').innerText(), '299.15亿美元')
  assert.equal(await exchange.locator('.status').innerText(), '来自图谱')
})

test('what is not known is refused', async (t) => {
  const page = await open(t)
  const exchange = await ask(page, 'What was the revenue of Siemens in fiscal year 2023?')
  assert.equal(await exchange.locator('.answer').getAttribute('data-status'), 'not_in_kb')
  assert.equal(await exchange.locator('.citation').count(), 0)
})

test('a choice is asked by a click, and a conversation goes on', async (t) => {
  const page = await open(t)
  let exchange = await ask(page, 'What is the population of Georgia?')
  const choices = exchange.locator('.choices button')
  assert.equal(await choices.count(), 2)
  const choice = await choices.first().innerText()
  await choices.first().click()
  exchange = page.locator('.exchange').last()
  await exchange.getByRole('heading', { name: choice }).waitFor()
  await exchange.locator('.values').waitFor()
  exchange = await ask(page, 'And in 2020?')
  await exchange.locator('.values').waitFor()
  assert.match(await exchange.innerText(), /Understood as/)
  // The conversation is there again after a look at another page.
  await page.getByRole('navigation').getByRole('link', { name: 'Numbers' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Ask' }).click()
  await page.locator('.exchange').nth(2).waitFor()
})

test('why: the mask is the plan of the service, with path, readings, graph and SPARQL', async (t) => {
  const page = await open(t)
  const question = 'What is the capital of Germany?'
  // What the page itself was told is what it must draw.
  const told = page.waitForResponse((reply) => reply.url().endsWith('/v1/answers')).then((reply) => reply.json())
  const exchange = await ask(page, question)
  const { explanation, facts } = await told
  await exchange.getByRole('button', { name: 'Why' }).click()
  await exchange.locator('.why .thing').first().waitFor()

  const columns = await exchange.locator('.mask-card').evaluateAll((cards) => cards.map((card) => [...card.querySelectorAll('.mask-cell')].map((cell) => cell.classList.contains('raised'))))
  assert.deepEqual(columns, explanation.cards.map((card) => card.lines.map(([, emphasis]) => emphasis > 0)), 'a column for each visible card, a cell for each line, a mark on those that were raised')
  const table = await exchange.locator('.mask-table tbody[data-card]').evaluateAll((cards) =>
    cards.map((card) => ({ entity: card.dataset.card, lines: [...card.querySelectorAll('tr[data-emphasis]')].map((row) => [row.querySelector('th').textContent, Number(row.dataset.emphasis)]) })),
  )
  assert.deepEqual(table, explanation.cards.map((card) => ({ entity: card.entity, lines: card.lines.map(([line, emphasis]) => [line.replace(/^- /, ''), emphasis]) })))
  const shares = await exchange.locator('.mask-table tr[data-attention]').evaluateAll((rows) => rows.map((row) => Number(row.dataset.attention)))
  const { prefix, question: own } = explanation.attention_elsewhere
  assert.deepEqual(shares, [...explanation.cards.flatMap((card) => card.lines.map(([, , attention]) => attention)), own, prefix])
  const sum = shares.reduce((all, one) => all + one, 0)
  assert.ok(Math.abs(sum - 1) < 0.001, `all attention is accounted for: ${sum}`)
  const most = Math.max(...shares.slice(0, -2))
  const shades = await exchange.locator('.mask-columns .mask-cell').evaluateAll((cells) => cells.map((cell) => Number(cell.style.getPropertyValue('--shade'))))
  assert.ok(shades.every((shade, at) => Math.abs(shade - shares[at] / most) < 1e-6), 'the shade is the share')
  const { hidden } = explanation
  await exchange.getByText(`${hidden.total} card`, { exact: false }).first().waitFor()
  const named = await exchange.locator('.mask-hidden .chip').evaluateAll((chips) => chips.map((chip) => [chip.querySelector('a').textContent, chip.querySelector('a').title, Number(chip.querySelector('.number').textContent.slice(1))]))
  assert.deepEqual(named, hidden.first.map(({ entity, cards }) => [entity.name, entity.iri, cards]))

  assert.equal(await exchange.locator('.why tr.chosen th').innerText().then((text) => text.split(' CHOSEN')[0].replace(/\s*chosen$/i, '')), explanation.view[0].path)
  assert.equal(await exchange.locator('.why .code').innerText(), explanation.sparql)
  const entities = new Set(facts.flatMap((fact) => [fact.subject.iri, fact.object.iri ?? '']).filter(Boolean))
  assert.equal(await exchange.locator('.why .thing.entity').count(), entities.size)
  await accessible(page, 'why')

  await exchange.getByRole('link', { name: 'Open in the SPARQL box' }).click()
  await page.locator('table').getByRole('link', { name: 'Berlin' }).waitFor()
})

test('what people think of answers is kept as golden questions', async (t) => {
  const page = await open(t)
  const right = await ask(page, 'Who founded Apple?')
  await right.getByRole('button', { name: 'Right' }).click()
  await right.getByText('Kept as a golden question.').waitFor()
  const wrong = await ask(page, 'What is the capital of France?')
  await wrong.getByRole('button', { name: 'Wrong' }).click()
  await wrong.getByLabel('What it should have said').fill('Lyon\nMarseille')
  await wrong.getByRole('button', { name: 'Send' }).click()
  await wrong.getByText('Kept as a golden question.').waitFor()
  const { body } = await api('GET', '/v1/feedback')
  const kept = Object.fromEntries(body.items.map((item) => [item.question, item]))
  assert.equal(kept['Who founded Apple?'].verdict, 'right')
  assert.ok(kept['Who founded Apple?'].expected.includes('Steve Wozniak'))
  assert.deepEqual(kept['What is the capital of France?'].expected, ['Lyon', 'Marseille'])
  for (const item of body.items) await api('DELETE', `/v1/feedback/${encodeURIComponent(item.id)}`)
})

test('two documents that disagree stand side by side, each with its date', async (t) => {
  await upload(t, {
    'globodyne.csv': 'company,chief executive officer\nGlobodyne,Ann Example\n',
    'news.txt': 'Globodyne was founded in 1951. Its headquarters stand in Lyon beside the river. In 2019 the board of Globodyne chose a new chief executive officer, Carla Otherwise, after a long search.\n',
  })
  const page = await open(t)
  const told = page.waitForResponse((reply) => reply.url().endsWith('/v1/answers')).then((reply) => reply.json())
  const exchange = await ask(page, 'Who is the chief executive officer of Globodyne?')
  const { facts, conflicts } = await told
  const section = exchange.getByRole('region', { name: 'Sources disagree' })
  const [graph, text] = [section.locator('.beside > div').nth(0), section.locator('.beside > div').nth(1)]
  assert.equal(await graph.locator('.conflict-value').innerText(), 'Ann Example')
  await text.locator('mark', { hasText: 'Carla Otherwise' }).waitFor()
  assert.match(await text.locator('.passage-quote').innerText(), /^In 2019 the board .* after a long search\.$/)
  const [left, right] = [await graph.boundingBox(), await text.boundingBox()]
  assert.ok(left.y === right.y && left.x + left.width <= right.x, 'beside each other')
  await accessible(page, 'a conflict')
  await openAt(page, graph.locator('.citation').first(), facts[0].evidence[0])
  await escape(page)
  await openAt(page, text.locator('.citation').first(), conflicts[0])
})
