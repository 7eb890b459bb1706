import type { Split, When } from '../api/types'
import type { Schema } from '../api/schema'
import { has, type Ref } from './model'

/** Splits are told of by the names of now: what is renamed or merged is called so in them too. */
export function redirectSplits(splits: Split[], { kind, iri: from }: Ref, to: string): Split[] {
  const after = splits.map((split) => {
    const when = redirectWhen(split.when, from, to)
    const own = split.kind === kind
    const one = { ...split, from: own && split.from === from ? to : split.from, to: own && split.to === from ? to : split.to, when }
    return one.from === split.from && one.to === split.to && when === split.when ? split : one
  })
  return same(splits, after.filter((one) => one.from !== one.to))
}

function redirectWhen(when: When, from: string, to: string): When {
  const parts = Object.entries(when) as [string, string | string[]][]
  if (!parts.some(([, value]) => value === from)) return when
  return Object.fromEntries(parts.map(([name, value]) => [name, value === from ? to : value])) as When
}

/** Without those that lead to a term that is gone: nothing can move there. */
export function liveSplits(splits: Split[], schema: Schema): Split[] {
  return same(splits, splits.filter((one) => has(schema, one.kind, one.to)))
}

function same(before: Split[], after: Split[]): Split[] {
  return before.length === after.length && before.every((one, at) => one === after[at]) ? before : after
}
