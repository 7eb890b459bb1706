// Terms of N-Triples as people write them in a form, and back.

export const xsd = 'http://www.w3.org/2001/XMLSchema#'

/** What the values of a relation are, as far as it decides how they are written. */
export type ValueKind = 'entity' | 'text' | 'number' | 'date' | 'year' | 'boolean'

const written = /^"((?:[^"\\]|\\.)*)"(?:\^\^<([^>]*)>|@[A-Za-z0-9-]+)?$/s
const number = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/
const shapes: Record<ValueKind, RegExp> = {
  entity: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/iu,
  text: /./s,
  number,
  date: /^-?\d{4,}-\d\d-\d\d$/,
  year: /^-?\d{4,}$/,
  boolean: /^(?:true|false)$/,
}
const datatypes: Partial<Record<ValueKind, string>> = { date: `${xsd}date`, year: `${xsd}gYear` }

/** The term that somebody means who writes this of such values; null where it is none. A term of N-Triples can be written as it is. */
export function termOf(text: string, kind: ValueKind): string | null {
  const trimmed = text.trim()
  if (written.test(trimmed) || /^<[^\s<>"{}|\\^`]+>$/.test(trimmed)) return trimmed
  if (!shapes[kind].test(trimmed)) return null
  switch (kind) {
    case 'entity':
      return `<${trimmed}>`
    case 'number':
    case 'boolean':
      return trimmed
    case 'text':
      return quoted(trimmed)
    case 'date':
    case 'year':
      return `${quoted(trimmed)}^^<${datatypes[kind]}>`
  }
}

/** How such a term is written in a form: the shortest that gives the same term again. */
export function sayTerm(term: string, kind: ValueKind): string {
  const bare = term.startsWith('<') && term.endsWith('>') ? term.slice(1, -1) : unquoted(term)
  return termOf(bare, kind) === term ? bare : term
}

function unquoted(term: string): string {
  const lexical = term.match(written)?.[1]
  return lexical === undefined ? term : lexical.replace(/\\(["\\nrt])/g, (_, one: string) => ({ n: '\n', r: '\r', t: '\t' })[one] ?? one)
}

function quoted(text: string): string {
  const escaped = text.replace(/["\\\n\r\t]/g, (one) => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[one] ?? `\\${one}`)
  return `"${escaped}"`
}
