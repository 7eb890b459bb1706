// What the tests share: the browser, pages that tell of every fault, axe, and calls to the service past the page.
import { chromium } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before } from 'node:test'
import assert from 'node:assert/strict'

export const base = process.env.FACTMASK_URL ?? 'http://127.0.0.1:7878'
// The tests run on small machines that do something else beside them.
const patience = 60_000

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser
before(async () => {
  // Chromium's sandbox refuses to run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args })
})
after(() => browser?.close())

/** A page of a fresh browser context. What goes wrong in it by itself fails the test that it is closed in. */
export async function open(t, hash = '', { theme = 'light', lang = 'en', width = 1280, height = 860 } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: lang === 'zh' ? 'zh-CN' : 'en-US', reducedMotion: 'reduce' })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const faults = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // The browser notes each answer of 4xx; those are for the page to tell, which the tests look at.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base) && !url.startsWith('data:') && !url.startsWith('blob:')) faults.push(`a request elsewhere: ${url}`)
  })
  t.after(async () => {
    await context.close()
    assert.deepEqual(faults, [])
  })
  await page.goto(`${base}/#/${hash}`)
  return page
}

/** Fails with everything that axe finds wrong with the page as it stands. */
export async function accessible(page, what) {
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations } = await globalThis.axe.run(document, { runOnly: tags })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.target.join(' ')} (${node.failureSummary})`).join('; ')}`)
  })
  assert.deepEqual(found, [], what)
}

/** A call to the service itself, to compare with what the page shows. */
export async function api(method, path, { query = {}, json, turtle, headers = {} } = {}) {
  const search = new URLSearchParams(query).toString()
  const body = json === undefined ? turtle : JSON.stringify(json)
  const type = json === undefined ? (turtle === undefined ? {} : { 'content-type': 'text/turtle' }) : { 'content-type': 'application/json' }
  const reply = await fetch(`${base}${path}${search ? `?${search}` : ''}`, { method, body, headers: { accept: 'application/json', ...type, ...headers } })
  const text = await reply.text()
  assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`)
  return { body: text && (reply.headers.get('content-type') ?? '').includes('json') ? JSON.parse(text) : text, etag: reply.headers.get('etag')?.replaceAll('"', '') }
}

/** Goes on with Tab until the element has the focus, as somebody without a mouse does. */
export async function tabTo(page, target, { back = false, most = 150 } = {}) {
  for (let n = 0; n < most; n++) {
    if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) return
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
  }
  assert.fail(`not reached by keyboard: ${target}`)
}

/** Closes the dialog that is open, and waits until it is gone: else it might close one that comes after it. */
export async function escape(page) {
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
}

/** Where an element stands once it no longer moves: the canvas is fitted after its boxes are there. */
export async function still(target) {
  let [before, now] = [null, await target.boundingBox()]
  while (JSON.stringify(before) !== JSON.stringify(now)) {
    await new Promise((go) => setTimeout(go, 200))
    ;[before, now] = [now, await target.boundingBox()]
  }
  return now
}

/** Waits until what the function gives is as expected; says what it was at last. */
export async function eventually(look, expected, what = '', within = patience) {
  const until = Date.now() + within
  let seen
  do {
    seen = await look()
    if (JSON.stringify(seen) === JSON.stringify(expected)) return
    await new Promise((go) => setTimeout(go, 50))
  } while (Date.now() < until)
  assert.deepEqual(seen, expected, what)
}

/** Opens a citation and compares what is marked with the bytes that the service has there. */
export async function openAt(page, citation, evidence) {
  await citation.click()
  const mark = page.locator('dialog pre.source mark')
  await mark.waitFor()
  const { body } = await api('GET', `/v1/documents/${encodeURIComponent(evidence.document)}/text`, { query: { from: 0, to: 1e6 } })
  const bytes = Buffer.from(body.text, 'utf8').subarray(evidence.start, evidence.end).toString('utf8')
  assert.equal(await mark.textContent(), bytes)
  assert.equal(bytes, evidence.quote)
  const seen = () =>
    mark.evaluate((element) => {
      const [own, box] = [element.getBoundingClientRect(), element.closest('.dialog-body').getBoundingClientRect()]
      return own.top >= box.top && own.bottom <= box.bottom
    })
  await eventually(seen, true, 'the passage is in view')
}
