import type { Schema } from '../api/schema'
import type { Kind, Rename } from '../api/types'
import { mergeKept } from './kept'
import { has, items, kinds, withItems, type Item } from './model'
import * as operations from './operations'

/** Where both editors changed the same. What the one at this page did was kept. */
export interface Clash {
  kind: Kind
  iri: string
  /** The field, or `removed` where one removed what the other changed. */
  field: string
  yours: unknown
  theirs: unknown
}

export interface Rebased {
  schema: Schema
  renames: Rename[]
  clashes: Clash[]
}

/** Applies what was changed from `base` to `mine` to `theirs`. No edit of either is lost without a clash that names it. */
export function rebase(base: Schema, mine: Schema, renames: readonly Rename[], theirs: Schema): Rebased {
  // Both are brought to the new names first, so that an item is compared with itself.
  const live = renames.filter((one) => has(theirs, one.kind, one.from))
  const from = renames.reduce(called, base)
  let schema = live.reduce(called, theirs)
  const onto = schema
  const clashes: Clash[] = []
  for (const kind of kinds) {
    const merged = mergeKind(kind, from, mine, onto, clashes)
    schema = withItems(schema, kind, merged)
  }
  return { schema: { ...schema, kept: mergeKept(from.kept, mine.kept, onto.kept) }, renames: live, clashes }
}

function called(schema: Schema, { kind, from, to }: Rename): Schema {
  if (!has(schema, kind, from)) return schema
  return has(schema, kind, to) ? operations.merge(schema, { kind, iri: from }, to) : operations.rename(schema, { kind, iri: from }, to)
}

function mergeKind(kind: Kind, base: Schema, mine: Schema, theirs: Schema, clashes: Clash[]): Item[] {
  const index = (schema: Schema) => new Map(items(schema, kind).map((item) => [item.iri, item]))
  const [was, my, their] = [index(base), index(mine), index(theirs)]
  const merged: Item[] = []
  for (const iri of new Set([...their.keys(), ...my.keys()])) {
    const [before, yours, others] = [was.get(iri), my.get(iri), their.get(iri)]
    if (yours && others) merged.push(mergeItem(kind, before, yours, others, clashes))
    else if (yours) {
      // They removed it, or never had it.
      if (!before) merged.push(yours)
      else if (!same(before, yours)) {
        merged.push(yours)
        clashes.push({ kind, iri, field: 'removed', yours, theirs: null })
      }
    } else if (others) {
      if (!before) merged.push(others)
      else if (!same(before, others)) clashes.push({ kind, iri, field: 'removed', yours: null, theirs: others })
    }
  }
  return merged
}

function mergeItem(kind: Kind, before: Item | undefined, yours: Item, others: Item, clashes: Clash[]): Item {
  const merged: Record<string, unknown> = { ...others }
  const was = (before ?? {}) as Record<string, unknown>
  const my = yours as unknown as Record<string, unknown>
  const their = others as unknown as Record<string, unknown>
  for (const field of Object.keys(my)) {
    if (same(my[field], was[field]) || same(my[field], their[field])) continue
    if (Array.isArray(my[field]) && Array.isArray(their[field])) {
      merged[field] = mergeLists((was[field] as unknown[]) ?? [], my[field], their[field])
      continue
    }
    merged[field] = my[field]
    if (!same(their[field], was[field])) clashes.push({ kind, iri: yours.iri, field, yours: my[field], theirs: their[field] })
  }
  return merged as unknown as Item
}

/** Of lists both edits hold: what either added is in it, what either took away is not. */
function mergeLists(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const holds = (list: readonly unknown[], one: unknown) => list.some((other) => same(other, one))
  if (base.length === theirs.length && base.every((one, at) => same(one, theirs[at]))) return [...mine]
  const left = theirs.filter((one) => !holds(base, one) || holds(mine, one))
  return [...left, ...mine.filter((one) => !holds(base, one) && !holds(theirs, one))]
}

function same(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other)
}

/** JSON whose keys are sorted: two writers need not agree on the order of fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? 'undefined'
}
