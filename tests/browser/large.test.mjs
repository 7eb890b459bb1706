import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base, open } from './browser.mjs'

// 5,000 classes in a tree and 2,000 relations. The service is not asked to publish them: it would read each by its model first, and
// what is measured here is the page.
const ns = 'https://example.org/large/'
const named = (text) => ({ labels: [{ lang: 'en', text }], aliases: [] })
const classes = Array.from({ length: 5_000 }, (_, n) => ({ iri: `${ns}K${n}`, ...named(`kind ${n}`), parents: n > 0 ? [`${ns}K${Math.floor((n - 1) / 4)}`] : [] }))
const relations = Array.from({ length: 2_000 }, (_, n) => ({
  iri: `${ns}r${n}`,
  ...named(`relates ${n}`),
  domain: `${ns}K${(n * 7) % 5_000}`,
  range: n % 3 === 0 ? { value: 'number', unit: null } : { class: `${ns}K${(n * 13) % 5_000}` },
  functional: null,
  symmetric: false,
  inverse: null,
  questions: [],
  statements: [{ lang: 'en', text: '{s} relates to {o}.' }],
}))
const large = JSON.stringify({ classes, relations, qualifiers: [] })

async function opened(t) {
  const page = await open(t, 'ask')
  await page.route('**/v1/schema?*', (route) => route.fulfill({ body: large, contentType: 'application/json', headers: { etag: '"large"' } }))
  await page.route('**/v1/schema/draft?*', (route) => route.fulfill({ status: route.request().method() === 'GET' ? 404 : 204, body: '' }))
  await page.goto('about:blank')
  const begun = performance.now()
  await page.goto(`${base}/#/schema`)
  await page.locator('.class-box').first().waitFor()
  await page.getByRole('treeitem').first().waitFor()
  return { page, took: performance.now() - begun }
}

/** Frames a second while the canvas is dragged about. */
async function panned(page) {
  const box = await page.locator('.schema-canvas').boundingBox()
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 20]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.evaluate(() => {
    globalThis.frames_seen = []
    const note = (now) => {
      globalThis.frames_seen.push(now)
      globalThis.going = requestAnimationFrame(note)
    }
    globalThis.going = requestAnimationFrame(note)
  })
  for (let n = 0; n < 80; n++) await page.mouse.move(x - 200 * Math.sin(n / 9), y - n * 4)
  const rate = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.going)
    const seen = globalThis.frames_seen
    return ((seen.length - 1) * 1000) / (seen.at(-1) - seen[0])
  })
  await page.mouse.up()
  return rate
}

/** Tries a few times: what else this machine does must not fail the test, and what is slow is slow each time. */
async function within(measure, good, times = 3) {
  let found = await measure()
  for (let n = 1; n < times && !good(found); n++) found = await measure()
  return found
}

test('5,000 classes and 2,000 relations open in two seconds, pan at 30 frames a second, and are searched', async (t) => {
  let page
  const took = await within(
    async () => {
      const now = await opened(t)
      page = now.page
      return now.took
    },
    (took) => took < 2_000,
  )
  t.diagnostic(`opened in ${Math.round(took)} ms`)
  assert.ok(took < 2_000, `opened in ${Math.round(took)} ms`)

  await page.getByRole('button', { name: 'All classes' }).click()
  await page.waitForFunction(() => document.querySelector('.schema-canvas').dataset.shown === '5000')
  const out = page.getByRole('button', { name: 'Zoom Out' })
  while (await out.isEnabled()) await out.click()
  const rate = await within(() => panned(page), (rate) => rate >= 30)
  t.diagnostic(`${Math.round(rate)} frames a second`)
  assert.ok(rate >= 30, `${Math.round(rate)} frames a second`)
  assert.ok((await page.locator('.class-box').count()) < 600, 'only what is in view is drawn')

  await page.getByRole('searchbox').fill('kind 4321')
  await page.getByRole('option', { name: 'kind 4321' }).click()
  await page.getByRole('heading', { name: /kind 4321/ }).waitFor()
  await page.getByLabel('Labels 1', { exact: true }).fill('renamed kind')
  await page.getByRole('searchbox').fill('renamed kind')
  await page.getByRole('option', { name: 'renamed kind' }).waitFor()
})
