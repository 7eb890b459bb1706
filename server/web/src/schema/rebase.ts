import type { Schema } from '../api/schema'
import type { Kind, Rename, Split } from '../api/types'
import { mergeKept } from './kept'
import { mergeFields, same } from './mergeFields'
import { has, items, kinds, localName, withItems, type Item } from './model'
import * as operations from './operations'
import { mergeRules } from './rebaseRules'

/** Where both editors changed the same. What the one at this page did was kept. */
export interface Clash {
  kind: Kind
  iri: string
  /** The field, `removed` where one removed what the other changed, or `split` where there is nothing left to split. */
  field: string
  yours: unknown
  theirs: unknown
}

export interface Rebased {
  schema: Schema
  renames: Rename[]
  splits: Split[]
  clashes: Clash[]
}

/** What was made of a schema: another, and what moves from one term to another. */
export interface Made {
  schema: Schema
  renames: readonly Rename[]
  splits: readonly Split[]
}

/** Applies what was changed from `base` to `made` to `theirs`. No edit of either is lost without a clash that names it. */
export function rebase(base: Schema, { schema: mine, renames, splits }: Made, theirs: Schema): Rebased {
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
  const merged = { ...schema, kept: mergeKept(from.kept, mine.kept, onto.kept) }
  return { schema: merged, renames: live, splits: mergeSplits(splits, onto, merged, clashes), clashes }
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
  const { iri } = yours
  const merged = mergeFields<Item>(before ?? {}, yours, others, (field, yours, theirs) => clashes.push({ kind, iri, field, yours, theirs }))
  if (!('rules' in merged && 'rules' in yours && 'rules' in others)) return merged
  const was = before && 'rules' in before ? before.rules : []
  const rules = mergeRules(was, yours.rules, others.rules, ({ relation, field, yours, theirs }) => {
    clashes.push({ kind, iri, field: ['rules', localName(relation), field ?? 'removed'].join(' '), yours, theirs })
  })
  return { ...merged, rules }
}

/** Splits whose term is there to be split, by facts that were published or a split before; of the others it is told. */
function mergeSplits(splits: readonly Split[], onto: Schema, merged: Schema, clashes: Clash[]): Split[] {
  const kept: Split[] = []
  for (const split of splits) {
    const { kind, from, to } = split
    const there = has(onto, kind, from) || kept.some((one) => one.kind === kind && one.to === from)
    if (there && has(merged, kind, to)) kept.push(split)
    else clashes.push({ kind, iri: from, field: 'split', yours: to, theirs: null })
  }
  return kept
}
