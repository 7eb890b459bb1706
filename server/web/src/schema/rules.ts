import type { Kind, Rule } from '../api/types'
import type { Schema, SchemaClass } from '../api/schema'

/** What every schema has besides its own relations: what an entity is, and how it is called. */
export const given = {
  label: 'http://www.w3.org/2000/01/rdf-schema#label',
  alias: 'http://www.w3.org/2004/02/skos/core#altLabel',
  type: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
} as const

/** Rules in which `from` is called `to`. With `to` null it is gone: a rule about it goes too, and nothing is asked to be of it. */
export function redirectRules(rules: Rule[], kind: Kind, from: string, to: string | null): Rule[] {
  const after = rules.flatMap((rule) => {
    const one = redirectRule(rule, kind, from, to)
    return one === null ? [] : [one]
  })
  if (after.length === rules.length && after.every((rule, at) => rule === rules[at])) return rules
  // A merge can make two rules say the same.
  return unique(after)
}

function redirectRule(rule: Rule, kind: Kind, from: string, to: string | null): Rule | null {
  if (kind === 'relation' && rule.relation === from) return to === null ? null : { ...rule, relation: to }
  let after = rule
  if (kind === 'class' && rule.class === from) after = without({ ...after, class: to }, to === null ? ['class'] : [])
  if (to !== null) {
    for (const field of ['one_of', 'has_value'] as const) {
      const terms = after[field]
      if (terms?.includes(`<${from}>`)) after = { ...after, [field]: terms.map((term) => (term === `<${from}>` ? `<${to}>` : term)) }
    }
  }
  return after
}

/** The rule with a part set; what is set to nothing is left out. */
export function withPart(rule: Rule, part: Partial<Rule>): Rule {
  const after = { ...rule, ...part }
  return without(after, (Object.keys(part) as (keyof Rule)[]).filter((field) => isNothing(after[field])))
}

function without(rule: Rule, fields: (keyof Rule)[]): Rule {
  return Object.fromEntries(Object.entries(rule).filter(([field]) => !fields.includes(field as keyof Rule))) as unknown as Rule
}

export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
}

export function unique(rules: readonly Rule[]): Rule[] {
  const seen = new Set<string>()
  return rules.filter((rule) => {
    const written = JSON.stringify(Object.entries(rule).sort(([a], [b]) => (a < b ? -1 : 1)))
    return !seen.has(written) && seen.add(written)
  })
}

/** The classes that have rules about a relation. */
export function ruledBy(schema: Schema, relation: string): { of: SchemaClass; rules: number }[] {
  return schema.classes.flatMap((one) => {
    const rules = one.rules.filter((rule) => rule.relation === relation).length
    return rules > 0 ? [{ of: one, rules }] : []
  })
}
