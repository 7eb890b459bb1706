import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, api, eventually, open } from './browser.mjs'

test('the numbers are those of the service, as plots and as tables', async (t) => {
  await api('POST', '/v1/answers', { json: { question: 'What is the capital of Germany?' } })
  const page = await open(t, 'numbers')
  await page.locator('.plot').first().waitFor()
  const { body } = await api('GET', '/v1/numbers')
  const shown = async (name) => Number.parseInt(await page.locator('.counts div', { hasText: name }).locator('dd').innerText(), 10)
  assert.equal(await shown('From the graph'), body.answers.answered)
  assert.equal(await shown('Asked back'), body.answers.ambiguous)
  assert.equal(await shown('Refused'), body.answers.not_in_kb)
  await page.getByText('As a table').first().click()
  const asked = await page.locator('.plot').first().locator('tbody td:nth-child(2)').allInnerTexts()
  assert.equal(asked.reduce((sum, n) => sum + Number(n), 0), body.minutes.reduce((sum, minute) => sum + minute.asked, 0))
  const stage = body.stages.find((one) => one.stage === 'prefill')
  await page.getByRole('button', { name: 'Reading the question' }).click()
  const bars = page.locator('.plot').last()
  await bars.getByRole('heading', { name: /Reading the question/ }).waitFor()
  assert.equal(await bars.locator('rect').count(), stage.buckets.filter((bucket) => bucket.count > 0).length)
  await accessible(page, 'numbers')
})

test('they are brought up to date by themselves while the page is looked at', async (t) => {
  const page = await open(t, 'numbers')
  const total = () => page.getByRole('heading', { name: /^Answers/ }).innerText()
  await page.locator('.plot').first().waitFor()
  const { body } = await api('GET', '/v1/numbers')
  await api('POST', '/v1/answers', { json: { question: 'Who founded Apple?' } })
  await eventually(total, `Answers ${body.answers.total + 1} questions`, 'refreshed')
})
