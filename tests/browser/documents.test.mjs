import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, eventually, open } from './browser.mjs'

const file = (name, text, mimeType = 'text/markdown') => ({ name, mimeType, buffer: Buffer.from(text) })

test('files are uploaded together, each is reported on, and deleting is foretold', async (t) => {
  const page = await open(t, 'documents')
  const rows = page.locator('.documents tbody tr')
  await rows.first().waitFor()
  const before = await rows.count()
  await page.locator('input[type=file]').setInputFiles([
    file('browser/../note.md', '# Note\n\nThe chief executive officer of Globex GmbH is Ada Example.\n'),
    file('nonsense.bin', '\u0000\u0001', 'application/octet-stream'),
  ])
  const report = page.locator('.report tbody tr')
  await report.nth(1).waitFor()
  const said = await report.allInnerTexts()
  assert.ok(said.some((row) => row.includes('nonsense.bin') && row.includes('not taken') && row.includes('is not read')), said.join('\n'))
  const taken = said.find((row) => !row.includes('nonsense.bin'))
  assert.match(taken, /read/)
  const id = await report.filter({ hasNotText: 'nonsense.bin' }).locator('th').innerText()
  await eventually(() => rows.count(), before + 1)
  await accessible(page, 'an upload report')

  await page.getByRole('button', { name: `Delete… ${id}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: /only this document states/ }).waitFor()
  const { body } = await api('DELETE', `/v1/documents/${encodeURIComponent(id)}`, { query: { dry_run: true } })
  await dialog.getByText(`${body.facts_removed.count} fact`, { exact: false }).first().waitFor()
  await accessible(page, 'the dry run of a delete')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await eventually(() => rows.count(), before)
})

test('files are dropped', async (t) => {
  const page = await open(t, 'documents')
  await page.locator('.drop').waitFor()
  const files = await page.evaluateHandle(() => {
    const carried = new DataTransfer()
    carried.items.add(new File(['One fact less.\n'], 'dropped.txt', { type: 'text/plain' }))
    carried.items.add(new File(['Two facts less.\n'], 'dropped too.txt', { type: 'text/plain' }))
    return carried
  })
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: files })
  await page.locator('.report tbody tr').nth(1).waitFor()
  for (const id of ['dropped.txt', 'dropped too.txt']) await api('DELETE', `/v1/documents/${encodeURIComponent(id)}`)
})

test("a document's facts are marked in its text at their bytes", async (t) => {
  const id = 'finance/苹果公司年度业绩.md'
  const page = await open(t, `documents?id=${encodeURIComponent(id)}`)
  await page.locator('pre.source mark').first().waitFor()
  const { body: text } = await api('GET', `/v1/documents/${encodeURIComponent(id)}/text`)
  const { body: facts } = await api('GET', '/v1/facts', { query: { document: id, limit: 200 } })
  const found = facts.facts.flatMap((fact) => fact.evidence.filter((one) => one.document === id))
  assert.equal(await page.locator('pre.source').textContent(), text.text, 'the whole text is there, and nothing else')
  const marks = await page.locator('pre.source mark').evaluateAll((all) => all.map((mark) => [Number(mark.dataset.start), mark.textContent]))
  const bytes = Buffer.from(text.text, 'utf8')
  for (const { start, end } of found) {
    const inside = marks.filter(([at, words]) => at >= start && at + Buffer.byteLength(words) <= end).map(([, words]) => words).join('')
    assert.equal(inside, bytes.subarray(start, end).toString('utf8'))
  }
  const mark = page.locator('pre.source mark').nth(2)
  await mark.focus()
  await page.keyboard.press('Enter')
  await page.locator('.passage li').first().waitFor()
  await accessible(page, 'a document')
})

test('what a document says is text, whatever it says', async (t) => {
  const page = await open(t, 'documents')
  const evil = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
  await page.locator('input[type=file]').setInputFiles([file('evil <b>.md', `# ${evil}\n\nThe chief executive officer of ${evil} is Bob.\n`)])
  await page.locator('.report tbody tr').first().waitFor()
  await page.locator('.documents tr', { hasText: 'evil <b>.md' }).getByRole('link').click()
  await page.locator('pre.source').filter({ hasText: evil }).waitFor()
  assert.equal(await page.evaluate(() => window.pwned), undefined)
  assert.equal(await page.locator('main img, main script').count(), 0)
  await api('DELETE', `/v1/documents/${encodeURIComponent('evil <b>.md')}`)
})
