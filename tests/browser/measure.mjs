// Times the schema editor over whatever schema the service at FACTMASK_URL has.
import { chromium } from 'playwright-core'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

const base = process.env.FACTMASK_URL
const times = 5
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args })

async function opened() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' })
  const page = await context.newPage()
  const begun = performance.now()
  await page.goto(`${base}/#/schema`)
  await page.locator('.class-box').first().waitFor()
  await page.getByRole('treeitem').first().waitFor()
  return { page, took: performance.now() - begun }
}

/** Frames a second, and the longest frame, while the canvas is dragged about. */
async function panned(page) {
  const box = await page.locator('.schema-canvas').boundingBox()
  const [x, y] = [box.x + box.width / 2, box.y + box.height - 20]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.evaluate(() => {
    globalThis.seen = []
    const note = (now) => {
      globalThis.seen.push(now)
      globalThis.going = requestAnimationFrame(note)
    }
    globalThis.going = requestAnimationFrame(note)
  })
  for (let n = 0; n < 120; n++) await page.mouse.move(x - 220 * Math.sin(n / 9), y - n * 3)
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.going)
    return globalThis.seen.slice(1).map((now, at) => now - globalThis.seen[at])
  })
  await page.mouse.up()
  const sum = frames.reduce((all, one) => all + one, 0)
  return { per_second: Math.round((frames.length * 1000) / sum), longest_ms: Math.round(Math.max(...frames)) }
}

async function timed(act) {
  const begun = performance.now()
  await act()
  return Math.round(performance.now() - begun)
}

const open_ms = []
let page
for (let n = 0; n < times; n++) {
  await page?.context().close()
  const now = await opened()
  page = now.page
  open_ms.push(Math.round(now.took))
}
const around = await panned(page)
const all_ms = await timed(async () => {
  await page.getByRole('button', { name: 'All classes' }).click()
  await page.waitForFunction(() => Number(document.querySelector('.schema-canvas').dataset.shown) > 1_000)
  await page.locator('.class-box').first().waitFor()
})
const all = await panned(page)
const out = page.getByRole('button', { name: 'Zoom Out' })
while (await out.isEnabled()) await out.click()
const far = await panned(page)
const drawn = await page.locator('.class-box').count()
const search_ms = await timed(async () => {
  await page.getByRole('searchbox').fill('kind 4321')
  await page.getByRole('option', { name: 'kind 4321' }).waitFor()
})
await page.getByRole('option', { name: 'kind 4321' }).click()
const type_ms = await timed(() => page.getByLabel('Labels 1', { exact: true }).fill('renamed kind'))
await browser.close()

const figures = { cores: cpus().length, open_ms, all_ms, pan: { around, all, far }, drawn, search_ms, type_ms }
const text = `${JSON.stringify(figures, null, 2)}\n`
if (process.argv[2]) writeFileSync(process.argv[2], text)
else process.stdout.write(text)
