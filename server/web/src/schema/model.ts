import type { Schema, SchemaClass, SchemaQualifier, SchemaRelation } from '../api/schema'
import type { Kind, Text } from '../api/types'

export type Item = SchemaClass | SchemaRelation | SchemaQualifier

export interface Ref {
  kind: Kind
  iri: string
}

export const kinds: readonly Kind[] = ['class', 'relation', 'qualifier']

export const emptySchema: Schema = { classes: [], relations: [], qualifiers: [], kept: [] }

const lists = { class: 'classes', relation: 'relations', qualifier: 'qualifiers' } as const

export function items(schema: Schema, kind: Kind): Item[] {
  return schema[lists[kind]]
}

export function withItems(schema: Schema, kind: Kind, all: readonly Item[]): Schema {
  return { ...schema, [lists[kind]]: all }
}

export function find(schema: Schema, { kind, iri }: Ref): Item | undefined {
  return items(schema, kind).find((item) => item.iri === iri)
}

export function has(schema: Schema, kind: Kind, iri: string): boolean {
  return items(schema, kind).some((item) => item.iri === iri)
}

/** What stands behind the last `#` or `/`. */
export function localName(iri: string): string {
  return iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/'), iri.lastIndexOf(':')) + 1) || iri
}

export function pick(texts: readonly Text[], lang: string): string | undefined {
  return (texts.find((text) => text.lang === lang) ?? texts.find((text) => text.lang === 'en') ?? texts[0])?.text
}

export function nameOf(item: Item, lang: string): string {
  return pick(item.labels, lang) || localName(item.iri)
}

/** Names by IRI of one kind; what the schema does not declare goes by its local name. */
export function namer(schema: Schema, lang: string): (iri: string) => string {
  const names = new Map<string, string>()
  for (const kind of kinds) for (const item of items(schema, kind)) names.set(item.iri, nameOf(item, lang))
  return (iri) => names.get(iri) ?? localName(iri)
}

/** The namespace that most terms of the schema are in. */
export function namespace(schema: Schema): string {
  const counts = new Map<string, number>()
  for (const kind of kinds) {
    for (const { iri } of items(schema, kind)) {
      const space = iri.slice(0, iri.length - localName(iri).length)
      counts.set(space, (counts.get(space) ?? 0) + 1)
    }
  }
  let best = 'https://example.org/'
  let most = 0
  for (const [space, count] of counts) {
    if (count > most) [best, most] = [space, count]
  }
  return best
}

/** A free IRI for something called so: "net income" becomes `netIncome`, a class `NetIncome`. */
export function mint(schema: Schema, kind: Kind, label: string): string {
  const words = label.normalize('NFC').split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const first = (word: string, upper: boolean) => (upper ? word.charAt(0).toUpperCase() : word.charAt(0).toLowerCase()) + word.slice(1)
  const stem = words.map((word, at) => first(word, at > 0 || kind === 'class')).join('') || kind
  const space = namespace(schema)
  for (let n = 1; ; n++) {
    const iri = space + stem + (n > 1 ? String(n) : '')
    if (!kinds.some((other) => has(schema, other, iri))) return iri
  }
}

export function blank(kind: Kind, iri: string, labels: Text[]): Item {
  const base = { iri, labels, aliases: [] }
  switch (kind) {
    case 'class':
      return { ...base, parents: [], closed: false, rules: [] }
    case 'relation':
      return {
        ...base,
        domain: null,
        range: { class: null },
        functional: null,
        symmetric: false,
        inverse: null,
        questions: [],
        statements: [],
      }
    case 'qualifier':
      return { ...base, value: 'text', unit: null, fiscal: false }
  }
}

/** Absolute, and with nothing that Turtle forbids in one. */
export function isIri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/iu.test(text)
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** In the order of an alphabet, numbers by their size. */
export function compare(one: string, other: string): number {
  return collator.compare(one, other)
}
