import type { Rule } from '../api/types'
import type { Schema } from '../api/schema'
import type { Dictionary } from '../text'
import { find, localName } from './model'
import { given } from './rules'
import { sayTerm, xsd, type ValueKind } from './terms'

/** What the values are that a rule is about. */
export function valuesOf(rule: Rule, schema: Schema): ValueKind {
  const written: Record<string, ValueKind> = { integer: 'number', decimal: 'number', double: 'number', date: 'date', gYear: 'year', boolean: 'boolean', string: 'text' }
  const byDatatype = rule.datatype?.startsWith(xsd) ? written[rule.datatype.slice(xsd.length)] : undefined
  if (byDatatype) return byDatatype
  if (rule.relation === given.label || rule.relation === given.alias || rule.datatype) return 'text'
  const relation = find(schema, { kind: 'relation', iri: rule.relation })
  if (rule.inverse || !relation || !('range' in relation) || 'class' in relation.range) return 'entity'
  return relation.range.value
}

/** The name of what a rule is about. */
export function ruleName({ relation, inverse }: Rule, name: (iri: string) => string, text: Dictionary['rules']): string {
  const own = (Object.keys(given) as (keyof typeof given)[]).find((one) => given[one] === relation)
  const called = own ? text.given[own] : name(relation)
  return inverse ? text.inverted(called) : called
}

/** A rule in a few words. */
export function ruleSays(rule: Rule, schema: Schema, name: (iri: string) => string, text: Dictionary['rules']): string {
  const kind = valuesOf(rule, schema)
  const { says, bounds } = text
  const term = (one: string) => (one.startsWith('<') ? name(one.slice(1, -1)) : sayTerm(one, kind))
  const list = (terms: readonly string[]) => terms.slice(0, 4).map(term).join(', ') + (terms.length > 4 ? ' …' : '')
  const { min_count: min, max_count: max, datatype } = rule
  const words: (string | false | null | undefined)[] = [
    typeof min === 'number' && min === max && says.exactly(min),
    typeof min === 'number' && min !== max && says.min(min),
    typeof max === 'number' && min !== max && says.max(max),
    rule.class && name(rule.class),
    datatype && (text.datatypes[localName(datatype) as keyof typeof text.datatypes] ?? localName(datatype)),
    rule.node_kind && text.nodeKinds[rule.node_kind],
    ...(['min_inclusive', 'min_exclusive', 'max_inclusive', 'max_exclusive'] as const).map((bound) => rule[bound] && `${bounds[bound]} ${term(rule[bound])}`),
    rule.one_of?.length && says.oneOf(list(rule.one_of)),
    rule.has_value?.length && says.required(list(rule.has_value)),
    (rule.min_length ?? rule.max_length ?? null) !== null && says.chars(String(rule.min_length ?? 0), String(rule.max_length ?? '∞')),
    rule.pattern && says.matches(rule.pattern),
    rule.language_in?.length && says.in(rule.language_in.join(', ')),
    rule.unique_lang && says.unique,
  ].map((said) => (said === 0 || said === '' ? null : said))
  return words.filter(Boolean).join(' · ') || text.asksNothing
}
