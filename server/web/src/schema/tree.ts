import type { Schema, SchemaClass } from '../api/schema'
import type { Kind } from '../api/types'
import { compare, items, localName, nameOf, type Item } from './model'

export interface Row {
  /** The way from the root: a class with two parents stands in two rows. */
  key: string
  iri: string
  name: string
  level: number
  place: number
  siblings: number
  children: number
  open: boolean
}

/** Classes by parent; under `''` the roots, among them one of each cycle, so that nothing is out of reach. */
export function childrenOf(classes: readonly SchemaClass[]): Map<string, SchemaClass[]> {
  const known = new Map(classes.map((one) => [one.iri, one]))
  const below = new Map<string, SchemaClass[]>([['', []]])
  const put = (parent: string, one: SchemaClass) => {
    const list = below.get(parent)
    if (list) list.push(one)
    else below.set(parent, [one])
  }
  for (const one of classes) {
    const parents = one.parents.filter((parent) => known.has(parent))
    if (parents.length === 0) put('', one)
    for (const parent of parents) put(parent, one)
  }
  const reached = new Set<string>()
  const reach = (root: SchemaClass) => {
    const waiting = [root]
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      if (reached.has(one.iri)) continue
      reached.add(one.iri)
      waiting.push(...(below.get(one.iri) ?? []))
    }
  }
  for (const root of below.get('') ?? []) reach(root)
  for (const one of classes) {
    if (reached.has(one.iri)) continue
    put('', one)
    reach(one)
  }
  return below
}

/** The rows that are to be seen, with what is open. */
export function treeRows(classes: readonly SchemaClass[], open: ReadonlySet<string>, lang: string): Row[] {
  const below = childrenOf(classes)
  const rows: Row[] = []
  const walk = (parent: string, path: readonly string[], key: string) => {
    // A class below itself is not followed again.
    const children = (below.get(parent) ?? []).filter((one) => !path.includes(one.iri))
    const sorted = children.map((one) => ({ one, name: nameOf(one, lang) })).sort((a, b) => compare(a.name, b.name))
    sorted.forEach(({ one, name }, at) => {
      const own = `${key} ${one.iri}`
      const count = (below.get(one.iri) ?? []).filter((child) => child.iri !== one.iri && !path.includes(child.iri)).length
      const isOpen = open.has(one.iri) && count > 0
      rows.push({ key: own, iri: one.iri, name, level: path.length + 1, place: at + 1, siblings: sorted.length, children: count, open: isOpen })
      if (isOpen) walk(one.iri, [...path, one.iri], own)
    })
  }
  walk('', [], '')
  return rows
}

/** All items of a kind, or those in which all words of the search stand, as a flat list; best matches first. */
export function listRows(schema: Schema, kind: Kind, search: string, lang: string): Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = items(schema, kind).flatMap((item) => {
    const rank = match(item, words)
    return rank === null ? [] : [{ iri: item.iri, name: nameOf(item, lang), rank }]
  })
  found.sort((a, b) => a.rank - b.rank || compare(a.name, b.name))
  return found.map(({ iri, name }, at) => ({ key: iri, iri, name, level: 1, place: at + 1, siblings: found.length, children: 0, open: false }))
}

function match(item: Item, words: readonly string[]): number | null {
  if (words.length === 0) return 0
  const names = [...item.labels, ...item.aliases].map((text) => text.text.toLowerCase())
  names.push(localName(item.iri).toLowerCase())
  const whole = words.join(' ')
  if (names.some((name) => name === whole)) return 0
  if (names.some((name) => name.startsWith(whole))) return 1
  const all = `${names.join('\n')}\n${item.iri.toLowerCase()}`
  return words.every((word) => all.includes(word)) ? 2 : null
}

/** The classes above one, so that it can be shown in the tree. */
export function above(classes: readonly SchemaClass[], iri: string): Set<string> {
  const parents = new Map(classes.map((one) => [one.iri, one.parents]))
  const found = new Set<string>()
  const waiting = [...(parents.get(iri) ?? [])]
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (found.has(one)) continue
    found.add(one)
    waiting.push(...(parents.get(one) ?? []))
  }
  return found
}
