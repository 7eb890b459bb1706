import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, base, eventually, open, tabTo } from './browser.mjs'
import { reset, schema } from './editor.mjs'

// Nothing here touches the mouse: each control is reached with Tab and worked with keys.
test('every action of the editor works by keyboard alone', async (t) => {
  await api('DELETE', '/v1/schema/draft').catch(() => {})
  t.after(() => api('DELETE', '/v1/schema/draft').catch(() => {}))
  const page = await open(t, 'schema')
  const { keyboard } = page
  await page.locator('.class-box').first().waitFor()
  const press = async (target) => {
    await tabTo(page, target)
    await keyboard.press('Enter')
  }
  const button = (name) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const node = (name) => page.locator('.react-flow__node', { has: page.locator('strong', { hasText: new RegExp(`^${name}$`) }) })

  // A new class below another.
  await press(button('+ class'))
  await dialog.waitFor()
  await keyboard.type('hospital')
  await tabTo(page, dialog.getByRole('combobox', { name: 'Below' }))
  await keyboard.press('ArrowDown')
  await keyboard.type('organisation')
  await keyboard.press('Enter')
  await press(dialog.getByRole('button', { name: 'Add', exact: true }))
  await page.getByRole('heading', { name: /hospital/ }).waitFor()
  await page.getByRole('treeitem', { name: 'hospital' }).waitFor()

  // The tree: down, up, close, open.
  const tree = page.getByRole('tree')
  await tabTo(page, tree)
  const active = () => page.evaluate(() => document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.innerText.trim() ?? null)
  await keyboard.press('Home')
  const top = await active()
  await keyboard.press('ArrowDown')
  assert.notEqual(await active(), top)
  await keyboard.press('ArrowUp')
  assert.equal(await active(), top)
  const organisation = page.getByRole('treeitem', { name: /organisation/ })
  while (!(await active())?.includes('organisation')) await keyboard.press('ArrowDown')
  await keyboard.press('ArrowLeft')
  await eventually(() => organisation.getAttribute('aria-expanded'), 'false')
  assert.equal(await page.getByRole('treeitem', { name: 'hospital' }).count(), 0)
  await keyboard.press('ArrowRight')
  await page.getByRole('treeitem', { name: 'hospital' }).waitFor()

  // Search, and choose what was found.
  await tabTo(page, page.getByRole('searchbox'), { back: true })
  await keyboard.type('hosp')
  await tabTo(page, page.getByRole('listbox', { name: 'Classes' }))
  await page.getByRole('option', { name: 'hospital' }).waitFor()
  await keyboard.press('Home')
  await page.getByRole('heading', { name: /hospital/ }).waitFor()
  await tabTo(page, page.getByRole('searchbox'), { back: true })
  await keyboard.press('Control+A')
  await keyboard.press('Delete')

  // Connect it: by a relation, and as a kind of something.
  await press(button('Connect…'))
  await tabTo(page, dialog.getByRole('combobox', { name: 'With' }))
  await keyboard.type('city')
  await keyboard.press('Enter')
  await tabTo(page, dialog.getByLabel('Name'))
  await keyboard.type('stands in')
  await press(dialog.getByRole('button', { name: 'Connect', exact: true }))
  await page.getByRole('heading', { name: /stands in/ }).waitFor()

  // Fields of a relation: functional, inverse, wordings.
  await tabTo(page, page.getByRole('checkbox', { name: 'At most one value' }))
  await keyboard.press('Space')
  await tabTo(page, page.getByRole('checkbox', { name: /^Symmetric/ }))
  await keyboard.press('Space')
  await keyboard.press('Space')
  await press(button('Add: question wordings'))
  await keyboard.type('Where does {s} stand?')
  await tabTo(page, page.getByRole('textbox', { name: 'IRI' }), { back: true })
  await keyboard.press('Control+A')
  await keyboard.type('https://example.org/factmask/standsIn2')
  await keyboard.press('Enter')
  await eventually(async () => {
    const draft = await fetch(`${base}/v1/schema/draft`)
    if (!draft.ok) return null
    const one = (await draft.json()).schema.relations.find((relation) => relation.iri.endsWith('standsIn2'))
    return one && [one.domain, one.range.class, one.functional !== null, one.symmetric ?? false, one.questions[0]?.text]
  }, ['https://example.org/factmask/Hospital', 'https://example.org/factmask/City', true, false, 'Where does {s} stand?'])

  // The canvas: a class is chosen and moved.
  await tabTo(page, node('hospital'), { back: true })
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: /hospital/ }).waitFor()
  const at = () => node('hospital').evaluate((element) => element.style.transform)
  const begun = await at()
  await keyboard.press('ArrowRight')
  await eventually(async () => (await at()) !== begun, true)
  await keyboard.press('Control+z')
  await eventually(at, begun)

  // Merge it away, and undo and redo that.
  await press(button('Merge into…'))
  await tabTo(page, dialog.getByRole('combobox', { name: 'Into' }))
  await keyboard.type('organisation')
  await keyboard.press('Enter')
  await press(dialog.getByRole('button', { name: 'Merge' }))
  await eventually(() => node('hospital').count(), 0)
  await keyboard.press('Control+z')
  await eventually(() => node('hospital').count(), 1)
  await keyboard.press('Control+Shift+z')
  await eventually(() => node('hospital').count(), 0)
  await keyboard.press('Control+z')
  await eventually(() => node('hospital').count(), 1)

  // Remove from the tree; the views; the preview and out of it again.
  await tabTo(page, tree, { back: true })
  while (!(await active())?.includes('hospital')) await keyboard.press('ArrowDown')
  await keyboard.press('Delete')
  await eventually(() => node('hospital').count(), 0)
  await press(button('Turtle'))
  await page.getByRole('textbox', { name: 'The schema as Turtle' }).waitFor()
  await press(button('Versions'))
  await press(button('Canvas'))
  await node('company').waitFor()
  await page.getByText(/draft saved/).waitFor()
  await press(button('Preview and publish…'))
  await dialog.locator('.impact').waitFor()
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Preview and publish…', 'the focus is where it was')
  await press(button('Discard draft'))
  await eventually(async () => (await fetch(`${base}/v1/schema/draft`)).status, 404)
})

/** The dialog for files that the page opens next. It is listened for well before: the browser takes its time to hand it over. */
const chooser = (page) => new Promise((go) => page.once('filechooser', go))

test('publishing, restoring and the files of the schema work by keyboard alone', async (t) => {
  await reset()
  const page = await open(t, 'schema')
  const { keyboard } = page
  await page.locator('.class-box').first().waitFor()
  const press = async (target) => {
    await tabTo(page, target)
    await keyboard.press('Enter')
  }
  const button = (name) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const before = (await schema()).etag

  await press(button('+ class'))
  await dialog.waitFor()
  await keyboard.type('lighthouse')
  await press(dialog.getByRole('button', { name: 'Add', exact: true }))
  await page.getByText(/draft saved/).waitFor()
  await press(button('Preview and publish…'))
  await dialog.locator('.impact').waitFor()
  await tabTo(page, dialog.getByLabel('Your name'))
  await keyboard.press('Control+A')
  await keyboard.type('Ada')
  await tabTo(page, dialog.getByLabel('Why'))
  await keyboard.type('they stand at the sea')
  await press(dialog.getByRole('button', { name: 'Publish', exact: true }))
  await page.getByText(/Published as version/).waitFor()
  await dialog.waitFor({ state: 'detached' })
  const told = (await schema()).schema.classes.some(({ labels }) => labels[0]?.text === 'lighthouse')
  assert.ok(told)

  await press(button('Versions'))
  const { versions } = (await api('GET', '/v1/schema/versions')).body
  const old = versions.find((one) => one.etag === before)
  const entry = page.locator('.versions li', { has: page.getByRole('heading', { name: `Version ${old.version}`, exact: true }) })
  await press(entry.getByRole('button', { name: 'Restore' }))
  await dialog.locator('.impact').waitFor()
  await tabTo(page, dialog.getByLabel('Why'))
  await keyboard.type('no sea here')
  await press(dialog.getByRole('button', { name: 'Restore' }))
  await dialog.waitFor({ state: 'detached' })
  await eventually(async () => (await schema()).etag, before)

  // The menu of files: an export, and the browser's own dialog for an import.
  const files = page.locator('.menu > summary', { hasText: 'Files' })
  await press(files)
  const [download] = await Promise.all([page.waitForEvent('download'), press(button('Export JSON'))])
  assert.equal(download.suggestedFilename(), 'schema.json')
  const chosen = chooser(page)
  await tabTo(page, files, { back: true })
  await keyboard.press('Enter')
  await press(button('Import…'))
  await (await chosen).setFiles([{ name: 'towers.ttl', mimeType: 'text/turtle', buffer: Buffer.from('<urn:e:Tower> a <http://www.w3.org/2000/01/rdf-schema#Class> .') }])
  await page.getByRole('treeitem', { name: 'Tower' }).waitFor()
})

test('documents are uploaded and deleted by keyboard alone', async (t) => {
  const page = await open(t, 'documents')
  const { keyboard } = page
  await page.locator('.documents tbody tr').first().waitFor()
  t.after(() => api('DELETE', '/v1/documents/keys.txt').catch(() => {}))
  const chosen = chooser(page)
  const choose = page.locator('.drop').locator('button, input, label').filter({ visible: true }).first()
  await tabTo(page, choose)
  await keyboard.press('Enter')
  await (await chosen).setFiles([{ name: 'keys.txt', mimeType: 'text/plain', buffer: Buffer.from('Keys are pressed.\n') }])
  await page.locator('.report tbody tr', { hasText: 'keys.txt' }).waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Delete… keys.txt' }))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('button', { name: 'Delete', exact: true }))
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await eventually(() => page.getByRole('button', { name: 'Delete… keys.txt' }).count(), 0)
})
