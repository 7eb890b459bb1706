import type { Fault, Rule } from '../api/types'
import type { SchemaClass } from '../api/schema'

/** A fault of a rule: which of the class's it is, and of which part; null is the rule as a whole. */
export interface RuleFault {
  rule: number
  field: keyof Rule | null
  fault: Fault
}

/** What SHACL calls the parts of a rule. */
export const shaclNames = {
  relation: 'sh:path',
  inverse: 'sh:inversePath',
  min_count: 'sh:minCount',
  max_count: 'sh:maxCount',
  class: 'sh:class',
  datatype: 'sh:datatype',
  node_kind: 'sh:nodeKind',
  pattern: 'sh:pattern',
  flags: 'sh:flags',
  min_length: 'sh:minLength',
  max_length: 'sh:maxLength',
  min_inclusive: 'sh:minInclusive',
  max_inclusive: 'sh:maxInclusive',
  min_exclusive: 'sh:minExclusive',
  max_exclusive: 'sh:maxExclusive',
  one_of: 'sh:in',
  has_value: 'sh:hasValue',
  language_in: 'sh:languageIn',
  unique_lang: 'sh:uniqueLang',
  severity: 'sh:severity',
  message: 'sh:message',
} as const satisfies Partial<Record<keyof Rule, string>>

const fieldOf = new Map(Object.entries(shaclNames).map(([field, name]) => [name as string, field as keyof Rule]))

/**
 * Finds the rules that faults are about. The service tells lines of the schema's Turtle, in which it writes a property of a rule a line
 * and `sh:path` first; what cannot be written in Turtle it tells without a line.
 */
export function ruleFaults(turtle: string, faults: readonly Fault[], one: SchemaClass): RuleFault[] {
  if (faults.length === 0 || one.rules.length === 0) return []
  const lines = turtle.split('\n')
  const names = prefixes(lines)
  return faults.flatMap((fault) => {
    const found = fault.line > 0 ? byLine(lines, names, fault.line - 1, one) : byTerm(fault.term, one.rules)
    return found ? [{ ...found, fault }] : []
  })
}

type Place = Omit<RuleFault, 'fault'>

function byTerm(term: string, rules: readonly Rule[]): Place | null {
  for (const [rule, parts] of rules.entries()) {
    for (const [field, value] of Object.entries(parts)) {
      if (value === term || (Array.isArray(value) && value.includes(term as never))) return { rule, field: field as keyof Rule }
    }
  }
  return null
}

function byLine(lines: string[], names: Map<string, string>, at: number, one: SchemaClass): Place | null {
  if (lines[at] === undefined) return null
  const subjectAt = lastBefore(lines, at, (line) => /^\S/.test(line))
  const subject = expanded(lines[subjectAt]?.split(/\s/, 1)[0] ?? '', names)
  // The last property of a rule is told with the bracket behind it.
  const property = lines[lastBefore(lines, at, (line) => /sh:\w/.test(line))]?.match(/sh:\w+/)?.[0]
  const field = fieldOf.get(property ?? '') ?? null
  const named = one.rules.findIndex((rule) => rule.iri === subject)
  if (named >= 0) return { rule: named, field }
  const pathAt = lastBefore(lines, at, (line) => line.includes('sh:path '))
  if (pathAt < subjectAt || pathAt < 0) return null
  const path = (line: string) => line.match(/sh:path (.*?)(?: ;)?$/)?.[1]
  const written = path(lines[pathAt] ?? '') ?? ''
  const inverse = written.startsWith('[')
  const relation = expanded(written.match(/(\S+) \]$/)?.[1] ?? written, names)
  const nth = lines.slice(subjectAt, pathAt).filter((line) => path(line) === written).length
  const alike = [...one.rules.entries()].filter(
    ([, rule]) => !rule.iri && rule.relation === relation && (rule.inverse ?? false) === inverse && (one.closed || (rule.shape ?? one.iri) === subject),
  )
  const rule = alike[nth]?.[0]
  return rule === undefined ? null : { rule, field }
}

function lastBefore(lines: string[], from: number, fits: (line: string) => boolean): number {
  let at = from
  while (at >= 0 && !fits(lines[at] ?? '')) at--
  return at
}

function prefixes(lines: readonly string[]): Map<string, string> {
  const declared = lines.flatMap((line) => {
    const found = line.match(/^@prefix (\S*): <(.*)> \.$/)
    return found ? [[found[1] ?? '', found[2] ?? ''] as const] : []
  })
  return new Map(declared)
}

function expanded(term: string, names: Map<string, string>): string {
  if (term.startsWith('<')) return term.slice(1, -1)
  const colon = term.indexOf(':')
  const space = names.get(term.slice(0, colon))
  return space === undefined ? term : space + term.slice(colon + 1).replace(/\\(.)/g, '$1')
}
