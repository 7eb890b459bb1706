import { checkSchema, importSchema, whole, type Checked } from '../api/schema'
import type { SentSchema } from '../api/types'

/** The service reads no more. */
export const mostBytes = 16 * 1024 * 1024

/** Hands a file to the browser to keep. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Reads a schema file: JSON of the editor's own form; everything else as Turtle, whoever wrote it. */
export async function readSchema(file: File): Promise<Checked> {
  const text = await file.text()
  const json = file.name.endsWith('.json') || text.trimStart().startsWith('{')
  return json ? checkSchema({ schema: whole(JSON.parse(text) as SentSchema) }) : importSchema(text)
}
