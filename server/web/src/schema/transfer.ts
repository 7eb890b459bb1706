import { checkSchema, importSchema, whole, type Checked } from '../api/schema'
import type { SentSchema } from '../api/types'

/** Hands a file to the browser to keep. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** What the service takes; a larger file is refused before it is read into memory. */
export const mostBytes = 16 * 1024 * 1024

/** Reads a schema file: JSON of the editor's own form, everything else as Turtle, also of ontologies that others wrote. */
export async function readSchema(file: File): Promise<Checked> {
  const text = await file.text()
  const json = file.name.endsWith('.json') || text.trimStart().startsWith('{')
  return json ? checkSchema({ schema: whole(JSON.parse(text) as SentSchema) }) : importSchema(text)
}
