import { useMemo } from 'react'
import type { Schema, SchemaClass, SchemaQualifier, SchemaRelation } from '../api/schema'
import type { Fault } from '../api/types'
import { useSettings, useText } from '../app/settings'
import type { Action, State } from './edit'
import { IriField, IrisField, TextsField } from './fields'
import { compare, find, has, items, localName, nameOf, namer, type Item, type Ref } from './model'
import { QualifierFields, RelationFields } from './RelationFields'
import { ruleFaults, type RuleFault } from './ruleFaults'
import { RulesField } from './RulesField'
import { SplitNotes } from './SplitNotes'
import type { Check } from './useChecked'

export type Ask = { about: 'merge' | 'connect'; ref: Ref } | { about: 'split'; of: { kind: Exclude<Ref['kind'], 'qualifier'>; iri: string } } | { about: 'add'; kind: Ref['kind'] }

interface Props {
  state: State
  dispatch: (action: Action) => void
  check: Check
  ask: (what: Ask) => void
}

/** Everything about the chosen term. */
export function ItemForm({ state, dispatch, check, ask }: Props) {
  const text = useText().schema
  const { lang } = useSettings()
  const { schema, renames } = state.present
  const ref = state.selected
  const item = ref && find(schema, ref)
  const checked = check.of === schema ? check.checked : null
  const faults = checked?.faults ?? []
  const ofRules = useMemo(() => (checked && item && 'rules' in item ? ruleFaults(checked.turtle, checked.faults, item) : []), [checked, item])
  if (!ref || !item) return <p className="quiet pad">{text.form.nothing}</p>

  const set = (part: Partial<Item>, step?: string) => dispatch({ type: 'set', ref, part, step: step && `${ref.iri} ${step}` })
  const before = renames.filter((one) => one.kind === ref.kind && one.to === ref.iri)
  const own = faults.filter((fault) => concerns(fault, ref.iri) && !ofRules.some((one) => one.fault === fault))
  return (
    <div className="item-form stack" key={`${ref.kind} ${ref.iri}`}>
      <div className="spread">
        <h2>
          {nameOf(item, lang)} <span className="tag">{text.kinds[ref.kind].one}</span>
        </h2>
      </div>
      <div className="row">
        {ref.kind === 'class' && (
          <button className="small" onClick={() => ask({ about: 'connect', ref })}>
            {text.connect.open}
          </button>
        )}
        <button className="small" onClick={() => ask({ about: 'merge', ref })}>
          {text.merge.open}
        </button>
        {ref.kind !== 'qualifier' && (
          <button className="small" onClick={() => ask({ about: 'split', of: { kind: ref.kind as 'class' | 'relation', iri: ref.iri } })}>
            {text.split.open}
          </button>
        )}
        <button className="small danger" onClick={() => dispatch({ type: 'remove', ref })}>
          {text.form.remove}
        </button>
      </div>
      {own.length > 0 && (
        <div className="notice bad">
          {own.map((fault, at) => (
            <p key={at}>{fault.message}</p>
          ))}
        </div>
      )}
      {before.map((one) => (
        <p key={one.from} className="notice">
          {text.form.was(localName(one.from))}
        </p>
      ))}
      <SplitNotes state={state} of={ref} dispatch={dispatch} />
      <IriField iri={ref.iri} taken={(iri) => has(schema, ref.kind, iri)} onRename={(to) => dispatch({ type: 'rename', ref, to })} />
      <TextsField label={text.form.labels} texts={item.labels} onChange={(labels, step) => set({ labels }, step)} />
      <TextsField label={text.form.aliases} texts={item.aliases} onChange={(aliases, step) => set({ aliases }, step)} />
      {ref.kind === 'class' && <ClassFields one={item as SchemaClass} schema={schema} faults={ofRules} set={set} dispatch={dispatch} />}
      {ref.kind === 'relation' && <RelationFields one={item as SchemaRelation} schema={schema} set={set} dispatch={dispatch} />}
      {ref.kind === 'qualifier' && <QualifierFields one={item as SchemaQualifier} set={set} />}
    </div>
  )
}

function concerns(fault: Fault, iri: string): boolean {
  const name = localName(iri)
  return fault.term === iri || fault.term === `<${iri}>` || fault.term.endsWith(`:${name}`) || fault.message.includes(iri)
}

export function useOptions(schema: Schema, kind: Ref['kind']) {
  const { lang } = useSettings()
  const all = items(schema, kind)
  return useMemo(
    () => all.map((item) => ({ id: item.iri, name: nameOf(item, lang) })).sort((a, b) => compare(a.name, b.name)),
    [all, lang],
  )
}

interface ClassProps {
  one: SchemaClass
  schema: Schema
  faults: RuleFault[]
  set: (part: Partial<SchemaClass>, step?: string) => void
  dispatch: (action: Action) => void
}

function ClassFields({ one, schema, faults, set, dispatch }: ClassProps) {
  const text = useText().schema
  const { lang } = useSettings()
  const classes = useOptions(schema, 'class')
  const name = namer(schema, lang)
  const open = (kind: Ref['kind']) => (iri: string) => dispatch({ type: 'select', ref: { kind, iri } })
  const below = schema.classes.filter((other) => other.parents.includes(one.iri))
  const uses = schema.relations.filter((relation) => relation.domain === one.iri || ('class' in relation.range && relation.range.class === one.iri))
  return (
    <>
      <IrisField label={text.form.parents} iris={one.parents} options={classes.filter((other) => other.id !== one.iri)} name={name} onChange={(parents) => set({ parents })} onOpen={open('class')} />
      <Linked title={text.form.children} of={below} open={open('class')} />
      <Linked title={text.form.relations} of={uses} open={open('relation')} />
      <RulesField one={one} schema={schema} faults={faults} set={set} />
    </>
  )
}

function Linked({ title, of, open }: { title: string; of: Item[]; open: (iri: string) => void }) {
  const { lang } = useSettings()
  if (of.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul className="chips" aria-label={title}>
        {of.slice(0, 60).map((item) => (
          <li key={item.iri} className="chip">
            <button className="link" onClick={() => open(item.iri)}>
              {nameOf(item, lang)}
            </button>
          </li>
        ))}
        {of.length > 60 && <li className="quiet">… {of.length}</li>}
      </ul>
    </section>
  )
}
