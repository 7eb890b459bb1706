import type { Schema, SchemaRelation } from '../api/schema'
import type { Kind, Rename } from '../api/types'
import { withIri } from './kept'
import { find, has, items, withItems, type Item, type Ref } from './model'
import { redirectRules, unique } from './rules'

/** What else of the schema speaks of a term by rules. */
function redirectClasses(schema: Schema, kind: Kind, from: string, to: string | null): Schema {
  const classes = changed(schema.classes, (one) => {
    const rules = redirectRules(one.rules, kind, from, to)
    return rules === one.rules ? one : { ...one, rules }
  })
  return classes === schema.classes ? schema : { ...schema, classes }
}

/** Everything that refers to `from` refers to `to` instead; with `to` null, to nothing. What is kept unread goes along to a new name. */
function redirect(given: Schema, kind: Kind, from: string, to: string | null): Schema {
  const schema = redirectClasses(to === null ? given : { ...given, kept: withIri(given.kept, from, to) }, kind, from, to)
  const list = (iris: string[]) => (iris.includes(from) ? [...new Set(iris.flatMap((iri) => (iri !== from ? [iri] : to ? [to] : [])))] : iris)
  if (kind === 'class') {
    return {
      ...schema,
      classes: changed(schema.classes, (one) => (one.parents.includes(from) ? { ...one, parents: list(one.parents).filter((parent) => parent !== one.iri) } : one)),
      relations: changed(schema.relations, (one) => {
        const domain = one.domain === from ? to : one.domain
        const range = 'class' in one.range && one.range.class === from ? { class: to } : one.range
        return domain === one.domain && range === one.range ? one : { ...one, domain, range }
      }),
    }
  }
  if (kind === 'relation') {
    return { ...schema, relations: changed(schema.relations, (one) => (one.inverse === from ? { ...one, inverse: to } : one)) }
  }
  const mentions = new RegExp(`\\{${escaped(short(from))}\\}`, 'g')
  return {
    ...schema,
    relations: changed(schema.relations, (one) => {
      if (!one.functional?.per.includes(from) && !worded(one, mentions)) return one
      const functional = one.functional && { per: list(one.functional.per) }
      // Wordings name qualifiers by their local names.
      const say = <T extends { text: string }>(texts: T[]) =>
        to ? texts.map((text) => ({ ...text, text: text.text.replace(mentions, `{${short(to)}}`) })) : texts
      return { ...one, functional, questions: say(one.questions), statements: say(one.statements) }
    }),
  }
}

function worded(relation: SchemaRelation, mentions: RegExp): boolean {
  return [...relation.questions, ...relation.statements].some((text) => text.text.search(mentions) >= 0)
}

function short(iri: string): string {
  return iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Maps, and gives the same array back where nothing changed. */
function changed<T>(all: T[], to: (one: T) => T): T[] {
  const mapped = all.map(to)
  return mapped.every((one, at) => one === all[at]) ? all : mapped
}

export function set(schema: Schema, ref: Ref, part: Partial<Item>): Schema {
  return withItems(schema, ref.kind, items(schema, ref.kind).map((item) => (item.iri === ref.iri ? ({ ...item, ...part } as Item) : item)))
}

export function add(schema: Schema, kind: Kind, item: Item): Schema {
  return has(schema, kind, item.iri) ? schema : withItems(schema, kind, [...items(schema, kind), item])
}

export function rename(schema: Schema, { kind, iri }: Ref, to: string): Schema {
  const called = withItems(schema, kind, items(schema, kind).map((item) => (item.iri === iri ? { ...item, iri: to } : item)))
  return redirect(called, kind, iri, to)
}

/** `iri` becomes part of `into`: names, wordings and rules are kept as the other's, references lead to it. */
export function merge(schema: Schema, { kind, iri }: Ref, into: string): Schema {
  const from = find(schema, { kind, iri })
  const target = find(schema, { kind, iri: into })
  if (!from || !target || iri === into) return schema
  const known = new Set([...target.labels, ...target.aliases].map((text) => `${text.lang} ${text.text}`))
  const aliases = [...target.aliases, ...[...from.labels, ...from.aliases].filter((text) => !known.has(`${text.lang} ${text.text}`))]
  let merged = { ...target, aliases } as Item
  if ('parents' in merged && 'parents' in from) {
    const parents = [...new Set([...merged.parents, ...from.parents])].filter((parent) => parent !== into && parent !== iri)
    merged = { ...merged, parents, rules: unique([...merged.rules, ...from.rules]) }
  }
  if ('questions' in merged && 'questions' in from) {
    merged = { ...merged, questions: joined(merged.questions, from.questions), statements: joined(merged.statements, from.statements) }
  }
  const rest = items(schema, kind).filter((item) => item.iri !== iri).map((item) => (item.iri === into ? merged : item))
  return redirect(withItems(schema, kind, rest), kind, iri, into)
}

function joined<T extends { text: string; lang: string }>(one: T[], other: T[]): T[] {
  return [...one, ...other.filter((text) => !one.some((had) => had.text === text.text && had.lang === text.lang))]
}

/** What stood below a removed class goes to its parents, rules about a removed relation go with it; what else referred to the item refers to nothing. */
export function remove(schema: Schema, { kind, iri }: Ref): Schema {
  const gone = find(schema, { kind, iri })
  if (!gone) return schema
  let without = withItems(schema, kind, items(schema, kind).filter((item) => item.iri !== iri))
  if ('parents' in gone) {
    without = {
      ...without,
      classes: changed(without.classes, (one) =>
        one.parents.includes(iri)
          ? { ...one, parents: [...new Set(one.parents.flatMap((parent) => (parent === iri ? gone.parents : [parent])))].filter((parent) => parent !== one.iri) }
          : one,
      ),
    }
  }
  return redirect(without, kind, iri, null)
}

/**
 * Takes a rename (or merge) into the list of renames: what had led to `from` leads to `to`, and only what was published has facts
 * that move. Chains stand as one entry.
 */
export function renamed(renames: Rename[], published: Schema, { kind, iri: from }: Ref, to: string): Rename[] {
  const led = renames.map((one) => (one.kind === kind && one.to === from ? { ...one, to } : one))
  const known = led.some((one) => one.kind === kind && one.from === from)
  const all = known || !has(published, kind, from) ? led : [...led, { kind, from, to }]
  return all.filter((one) => one.from !== one.to)
}
