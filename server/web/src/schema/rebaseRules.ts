import type { Rule } from '../api/types'
import { mergeFields, same } from './mergeFields'

/** Where both changed the same of a rule; `field` is null where one removed what the other changed. */
export interface RuleClash {
  relation: string
  field: string | null
  yours: unknown
  theirs: unknown
}

/** Rules that two edits made of the same ones, merged rule by rule and field by field. */
export function mergeRules(base: readonly Rule[], mine: readonly Rule[], theirs: readonly Rule[], clash: (clash: RuleClash) => void): Rule[] {
  const [my, their] = [follow(base, mine), follow(base, theirs)]
  const merged: Rule[] = []
  for (const before of base) {
    const [yours, others] = [my.of.get(before) ?? null, their.of.get(before) ?? null]
    const { relation } = before
    if (yours && others) merged.push(mergeFields(before, yours, others, (field, yours, theirs) => clash({ relation, field, yours, theirs })))
    else if (yours && !same(before, yours)) {
      merged.push(yours)
      clash({ relation, field: null, yours, theirs: null })
    } else if (others && !same(before, others)) clash({ relation, field: null, yours: null, theirs: others })
  }
  return [...merged, ...their.added, ...my.added.filter((one) => !their.added.some((other) => same(one, other)))]
}

/** Which rule became which: those that stayed as they were, then those about the same in their order. */
function follow(base: readonly Rule[], now: readonly Rule[]): { of: Map<Rule, Rule>; added: Rule[] } {
  const added = [...now]
  const of = new Map<Rule, Rule>()
  const take = (before: Rule, fits: (one: Rule) => boolean) => {
    const at = of.has(before) ? -1 : added.findIndex(fits)
    if (at >= 0) of.set(before, added.splice(at, 1)[0] as Rule)
  }
  for (const before of base) take(before, (one) => same(one, before))
  for (const before of base) take(before, (one) => about(one) === about(before))
  return { of, added }
}

function about({ relation, inverse, iri }: Rule): string {
  return `${relation} ${inverse ?? false} ${iri ?? ''}`
}
