// Documents that a test brings along.
import assert from 'node:assert/strict'
import { api, base } from './browser.mjs'

/** Uploads documents by name, and deletes them when the test is over. */
export async function upload(t, documents) {
  const form = new FormData()
  for (const [name, text] of Object.entries(documents)) form.append('files', new Blob([text], { type: 'text/plain' }), name)
  const drop = () => Promise.all(Object.keys(documents).map((name) => api('DELETE', `/v1/documents/${encodeURIComponent(name)}`).catch(() => {})))
  await drop()
  t.after(drop)
  const reply = await fetch(`${base}/v1/documents`, { method: 'POST', body: form })
  const { documents: told } = await reply.json()
  assert.deepEqual(told.map((one) => one.outcome), Object.keys(documents).map(() => 'ingested'), JSON.stringify(told))
}
