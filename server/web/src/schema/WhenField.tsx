import { useDeferredValue, useEffect, useId, useState } from 'react'
import { call } from '../api/client'
import type { Schema } from '../api/schema'
import type { FactPage, Named, ObjectKind, When } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { Picker } from '../ui/Picker'
import { valueText } from '../ui/values'
import { IrisField } from './fields'
import { useOptions } from './ItemForm'

const ways = {
  class: ['has_relation', 'value', 'entities'],
  relation: ['subject_class', 'object_class', 'object_kind'],
} as const
type Way = (typeof ways)['class' | 'relation'][number]

const objectKinds: readonly ObjectKind[] = ['entity', 'text', 'number', 'date', 'boolean']

interface Props {
  schema: Schema
  of: { kind: 'class' | 'relation'; iri: string }
  /** Null while it is not said. */
  onChange: (when: When | null) => void
}

/** Which entities or facts go to the new term. */
export function WhenField({ schema, of, onChange }: Props) {
  const text = useText().schema.split
  const form = useText().schema.form
  const classes = useOptions(schema, 'class')
  const relations = useOptions(schema, 'relation')
  const [way, setWay] = useState<Way>(ways[of.kind][0])
  const [relation, setRelation] = useState<string | null>(null)
  const [value, setValue] = useState('')
  const [entities, setEntities] = useState<Named[]>([])
  const [cls, setClass] = useState<string | null>(null)
  const [kind, setKind] = useState<ObjectKind>('entity')

  useEffect(() => {
    const said: Record<Way, When | null> = {
      has_relation: relation === null ? null : { has_relation: relation },
      value: relation === null || !value.trim() ? null : { relation, value: value.trim() },
      entities: entities.length === 0 ? null : { entities: entities.map(({ iri }) => iri) },
      subject_class: cls === null ? null : { subject_class: cls },
      object_class: cls === null ? null : { object_class: cls },
      object_kind: { object_kind: kind },
    }
    onChange(said[way])
  }, [way, relation, value, entities, cls, kind, onChange])

  return (
    <fieldset className="stack">
      <legend>{text.which}</legend>
      {ways[of.kind].map((one) => (
        <label key={one}>
          <input type="radio" name="which" checked={way === one} onChange={() => setWay(one)} />
          {text.ways[one]}
        </label>
      ))}
      {(way === 'has_relation' || way === 'value') && <Picker label={text.relation} value={relation} options={relations} placeholder={form.choose} onPick={setRelation} />}
      {way === 'value' && relation && <ValueBox relation={relation} value={value} onChange={setValue} />}
      {way === 'entities' && <EntitiesBox of={of.iri} entities={entities} onChange={setEntities} />}
      {(way === 'subject_class' || way === 'object_class') && <Picker label={text.class} value={cls} options={classes} placeholder={form.choose} onPick={setClass} />}
      {way === 'object_kind' && (
        <label className="labelled">
          {text.kind}
          <select value={kind} onChange={(event) => setKind(event.target.value as ObjectKind)}>
            {objectKinds.map((one) => (
              <option key={one} value={one}>
                {text.kinds[one]}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  )
}

function useFacts(key: string, query: Record<string, string>) {
  const { tenant, lang } = useSettings()
  return useLoad(`${tenant} ${lang} ${key}`, async (signal) => (await call<FactPage>('GET', '/v1/facts', { query: { tenant, lang, limit: 200, ...query }, signal })).body.facts)
}

/** A value: an entity's IRI, or the words. Those that facts have are offered. */
function ValueBox({ relation, value, onChange }: { relation: string; value: string; onChange: (value: string) => void }) {
  const text = useText().schema.split
  const id = useId()
  const facts = useFacts(`values ${relation}`, { relation })
  const offered = new Map(facts.value?.map(({ object }) => (object.type === 'entity' ? [object.iri, object.name] : [valueText(object), ''])) ?? [])
  return (
    <label className="labelled">
      {text.value}
      <input list={id} value={value} spellCheck={false} onChange={(event) => onChange(event.target.value)} />
      <datalist id={id}>
        {[...offered].map(([said, name]) => (
          <option key={said} value={said}>
            {name}
          </option>
        ))}
      </datalist>
    </label>
  )
}

/** Entities of the class, found by their names. */
function EntitiesBox({ of, entities, onChange }: { of: string; entities: Named[]; onChange: (entities: Named[]) => void }) {
  const text = useText().schema.split
  const [search, setSearch] = useState('')
  const sought = useDeferredValue(search.trim())
  const facts = useFacts(`entities ${of} ${sought}`, { class: of, text: sought })
  const names = new Map([...(facts.value?.map(({ subject }) => subject) ?? []), ...entities].map(({ iri, name }) => [iri, name]))
  return (
    <>
      <label className="labelled">
        {text.search}
        <input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
      </label>
      <IrisField
        label={text.entities}
        iris={entities.map(({ iri }) => iri)}
        options={[...names].map(([id, name]) => ({ id, name }))}
        name={(iri) => names.get(iri) ?? iri}
        onChange={(iris) => onChange(iris.map((iri) => ({ iri, name: names.get(iri) ?? iri })))}
      />
    </>
  )
}
