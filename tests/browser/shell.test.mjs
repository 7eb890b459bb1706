import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible, base, eventually, open } from './browser.mjs'

const pages = ['ask', 'schema', 'graph', 'documents', 'review', 'numbers']

/** Something of each page that is there only once it has been loaded. */
const arrived = {
  ask: '.ask-form',
  schema: '.class-box',
  graph: '.search',
  documents: '.documents tbody tr',
  review: '.page-review section:nth-of-type(2) :is(.absent, li, [role=status], .quiet:nth-of-type(2))',
  numbers: '.page-numbers .counts',
}

test('the page is served under a policy that forbids foreign scripts', async () => {
  const reply = await fetch(base)
  assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'.*script-src 'self'/)
})

for (const theme of ['light', 'dark']) {
  for (const page of pages) {
    test(`${page} has no fault that axe finds, ${theme}, wide and narrow`, async (t) => {
      const wide = await open(t, page, { theme })
      await wide.waitForSelector(arrived[page])
      await accessible(wide, page)
      const narrow = await open(t, page, { theme, width: 360, height: 740, lang: 'zh' })
      await narrow.waitForSelector(arrived[page])
      await accessible(narrow, `${page}, 360 pixels`)
      assert.equal(await narrow.evaluate(() => document.documentElement.scrollWidth), 360, 'nothing stands beyond the right edge')
    })
  }
}

test('all pages are reached by keyboard, and the skip link leads past the navigation', async (t) => {
  const page = await open(t)
  await page.waitForSelector('.ask-form')
  for (const name of ['Schema', 'Graph', 'Documents', 'Review', 'Numbers']) {
    const link = page.getByRole('navigation').getByRole('link', { name })
    await link.focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction((title) => document.title.startsWith(title), name)
    assert.equal(await link.getAttribute('aria-current'), 'page')
    await eventually(() => page.evaluate(() => document.activeElement?.id), 'main', 'a new page is read from its beginning')
  }
  await page.reload()
  await page.locator('.skip').waitFor({ state: 'attached' })
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip')
  await page.keyboard.press('Enter')
  await eventually(() => page.evaluate(() => document.activeElement?.id), 'main')
})

test('language and theme are kept', async (t) => {
  const page = await open(t)
  await page.getByLabel('Language').selectOption('zh')
  await page.getByRole('navigation').getByRole('link', { name: '图谱' }).waitFor()
  await page.getByLabel('外观').selectOption('dark')
  await page.reload()
  await page.getByRole('navigation').getByRole('link', { name: '图谱' }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh')
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark')
})

test('a tenant that does not exist is told of on each page, and breaks none', async (t) => {
  const page = await open(t)
  await page.getByLabel('Tenant').fill('nobody')
  await page.getByLabel('Tenant').press('Enter')
  await page.getByRole('textbox', { name: 'Question' }).fill('Who founded Apple?')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.exchange .absent, .exchange [role=alert]')
  for (const name of ['Schema', 'Documents', 'Review', 'Numbers']) {
    await page.getByRole('navigation').getByRole('link', { name }).click()
    await page.waitForSelector('main .absent, main [role=alert], main .counts, main .documents, main .drop')
  }
})
