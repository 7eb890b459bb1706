import { href } from '../app/route'
import type { Fact, Named, Value } from '../api/types'

/** A value in words, exactly as the graph or the source has it. */
export function valueText(value: Value): string {
  switch (value.type) {
    case 'entity':
      return value.name
    case 'text':
      return value.text
    case 'number':
      return value.written ?? (value.unit ? `${value.value} ${value.unit}` : value.value)
    case 'date':
      return value.written ?? value.value
    case 'boolean':
      return value.value ? '✓' : '✗'
  }
}

export function ValueLink({ value }: { value: Value }) {
  if (value.type === 'entity') return <EntityLink of={value} />
  return <span lang={value.type === 'text' ? value.lang || undefined : undefined}>{valueText(value)}</span>
}

export function EntityLink({ of }: { of: Named }) {
  return (
    <a href={href('graph', { entity: of.iri })} title={of.iri}>
      {of.name}
    </a>
  )
}

export function Qualifiers({ fact }: { fact: Fact }) {
  if (fact.qualifiers.length === 0) return null
  return (
    <span className="qualifiers">
      {fact.qualifiers.map((found, at) => (
        <span key={at} className="tag">
          {found.qualifier.name} {valueText(found.value)}
        </span>
      ))}
    </span>
  )
}

/** A fact on one line. */
export function FactLine({ fact }: { fact: Fact }) {
  return (
    <span className="fact-line">
      <EntityLink of={fact.subject} /> <span className="relation">{fact.relation.name}</span> <ValueLink value={fact.object} />{' '}
      <Qualifiers fact={fact} />
    </span>
  )
}
