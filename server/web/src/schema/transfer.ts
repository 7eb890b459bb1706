import { call } from '../api/client'
import type { Checked, Schema } from '../api/contract'

/** Hands a file to the browser to keep. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Reads a schema file: JSON of the editor's own form, everything else as Turtle. */
export async function readSchema(file: File, tenant: string): Promise<Checked> {
  const text = await file.text()
  const json = file.name.endsWith('.json') || text.trimStart().startsWith('{')
  const sent = json ? { json: JSON.parse(text) as Schema } : { turtle: text }
  return (await call<Checked>('POST', '/v1/schema/check', { ...sent, query: { tenant } })).body
}
