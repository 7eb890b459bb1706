import type { Schema, SchemaQualifier, SchemaRelation } from '../api/schema'
import type { Primitive } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { Picker } from '../ui/Picker'
import type { Action } from './edit'
import { IrisField, TextsField } from './fields'
import { useOptions } from './ItemForm'
import { localName, namer } from './model'

const primitives: readonly Primitive[] = ['text', 'number', 'date', 'year', 'boolean']

interface Props {
  one: SchemaRelation
  schema: Schema
  set: (part: Partial<SchemaRelation>, step?: string) => void
  dispatch: (action: Action) => void
}

export function RelationFields({ one, schema, set, dispatch }: Props) {
  const text = useText().schema.form
  const { lang } = useSettings()
  const classes = useOptions(schema, 'class')
  const relations = useOptions(schema, 'relation')
  const qualifiers = useOptions(schema, 'qualifier')
  const name = namer(schema, lang)
  const { range } = one
  const toClass = 'class' in range
  const slots = ['{s}', '{o}', ...schema.qualifiers.map((qualifier) => `{${localName(qualifier.iri)}}`)].join(' ')
  return (
    <>
      <Picker label={text.domain} value={one.domain} options={classes} none={text.anything} onPick={(domain) => set({ domain })} />
      <fieldset className="stack">
        <legend>{text.range}</legend>
        <select aria-label={text.range} value={toClass ? 'class' : range.value} onChange={(event) => set({ range: ranged(event.target.value) })}>
          <option value="class">{text.aClass}</option>
          {primitives.map((value) => (
            <option key={value} value={value}>
              {text.values[value]}
            </option>
          ))}
        </select>
        {toClass ? (
          <Picker label={text.rangeClass} value={range.class} options={classes} none={text.anything} onPick={(iri) => set({ range: { class: iri } })} />
        ) : (
          range.value === 'number' && <Unit unit={range.unit} onChange={(unit) => set({ range: { ...range, unit } }, 'unit')} />
        )}
      </fieldset>
      <fieldset className="stack">
        <legend>{text.cardinality}</legend>
        <label>
          <input type="checkbox" checked={one.functional !== null} onChange={(event) => set({ functional: event.target.checked ? { per: [] } : null })} />
          {text.functional}
        </label>
        {one.functional && (
          <IrisField label={text.per} iris={one.functional.per} options={qualifiers} name={name} onChange={(per) => set({ functional: { per } })} onOpen={(iri) => dispatch({ type: 'select', ref: { kind: 'qualifier', iri } })} />
        )}
        <label>
          <input type="checkbox" checked={one.symmetric} disabled={!toClass && !one.symmetric} onChange={(event) => set({ symmetric: event.target.checked })} />
          {text.symmetric}
        </label>
      </fieldset>
      <Picker label={text.inverse} value={one.inverse} options={relations.filter((other) => other.id !== one.iri)} none={text.noInverse} onPick={(inverse) => set({ inverse })} />
      <TextsField long label={text.questions} hint={text.questionsHint(slots)} texts={one.questions} onChange={(questions, step) => set({ questions }, step)} />
      <TextsField long label={text.statements} hint={text.statementsHint} texts={one.statements} onChange={(statements, step) => set({ statements }, step)} />
    </>
  )
}

function ranged(value: string): SchemaRelation['range'] {
  const primitive = primitives.find((one) => one === value)
  return primitive ? { value: primitive, unit: null } : { class: null }
}

function Unit({ unit, onChange }: { unit: string | null; onChange: (unit: string | null) => void }) {
  const text = useText().schema.form
  return (
    <label className="labelled">
      {text.unit}
      <input value={unit ?? ''} placeholder="USD, km², %" spellCheck={false} onChange={(event) => onChange(event.target.value || null)} />
    </label>
  )
}

interface QualifierProps {
  one: SchemaQualifier
  set: (part: Partial<SchemaQualifier>, step?: string) => void
}

export function QualifierFields({ one, set }: QualifierProps) {
  const text = useText().schema.form
  return (
    <>
      <label className="labelled">
        {text.value}
        <select value={one.value} onChange={(event) => set({ value: event.target.value as Primitive, unit: null, fiscal: false })}>
          {primitives.map((value) => (
            <option key={value} value={value}>
              {text.values[value]}
            </option>
          ))}
        </select>
      </label>
      {one.value === 'number' && <Unit unit={one.unit} onChange={(unit) => set({ unit }, 'unit')} />}
      {(one.value === 'year' || one.value === 'date') && (
        <label>
          <input type="checkbox" checked={one.fiscal} onChange={(event) => set({ fiscal: event.target.checked })} />
          {text.fiscal}
        </label>
      )}
    </>
  )
}
