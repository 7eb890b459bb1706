import { useMemo, useState } from 'react'
import type { Fault, Rule } from '../api/types'
import type { Schema, SchemaClass } from '../api/schema'
import { useSettings, useText } from '../app/settings'
import { Picker } from '../ui/Picker'
import { useOptions } from './ItemForm'
import { namer } from './model'
import { RuleForm } from './RuleForm'
import type { RuleFault } from './ruleFaults'
import { given } from './rules'
import { ruleName, ruleSays } from './ruleSays'
import { above } from './tree'

interface Props {
  one: SchemaClass
  schema: Schema
  faults: RuleFault[]
  set: (part: Partial<SchemaClass>, step?: string) => void
}

/** What must hold of the entities of a class: the property shapes of SHACL in plain words. */
export function RulesField({ one, schema, faults, set }: Props) {
  const text = useText().rules
  const { lang } = useSettings()
  const name = useMemo(() => namer(schema, lang), [schema, lang])
  const relations = useOptions(schema, 'relation')
  const [fresh, setFresh] = useState<number | null>(null)
  const { rules } = one

  const options = useMemo(() => {
    const classes = above(schema.classes, one.iri).add(one.iri)
    const own = new Set(schema.relations.filter(({ domain }) => domain === null || classes.has(domain)).map(({ iri }) => iri))
    const words = (Object.keys(given) as (keyof typeof given)[]).map((key) => ({ id: given[key] as string, name: text.given[key] }))
    return [...relations.filter(({ id }) => own.has(id)), ...words, ...relations.filter(({ id }) => !own.has(id))]
  }, [schema, one.iri, relations, text])

  const change = (at: number, rule: Rule, step: string) => set({ rules: rules.map((other, place) => (place === at ? rule : other)) }, step && `rule ${at} ${step}`)
  return (
    <section className="rules stack" aria-label={text.title}>
      <h3>{text.title}</h3>
      <p className="quiet small">{text.note}</p>
      {rules.length > 0 && (
        <ul className="stack" aria-label={text.list}>
          {rules.map((rule, at) => {
            const called = ruleName(rule, name, text)
            const own = faults.filter((fault) => fault.rule === at)
            return (
              // Rules about the same are told apart by their order.
              <li key={`${rule.relation} ${rules.slice(0, at).filter((other) => other.relation === rule.relation).length}`} className="rule">
                <details open={at === fresh || undefined}>
                  <summary>
                    <strong>{called}</strong> <span className="quiet">{ruleSays(rule, schema, name, text)}</span> {own.length > 0 && <FaultCount of={own.length} />}
                  </summary>
                  <Said faults={own.filter(({ field }) => field === null || field === 'relation' || field === 'inverse').map(({ fault }) => fault)} />
                  <RuleForm rule={rule} schema={schema} faults={own} onChange={(after, step) => change(at, after, step)} />
                </details>
                <button className="plain" aria-label={text.remove(called)} title={text.remove(called)} onClick={() => set({ rules: rules.filter((_, place) => place !== at) })}>
                  ×
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <Picker
        label={text.add}
        value={null}
        options={options}
        onPick={(relation) => {
          if (!relation) return
          setFresh(rules.length)
          set({ rules: [...rules, { relation }] })
        }}
      />
      <label>
        <input type="checkbox" checked={one.closed} onChange={(event) => set({ closed: event.target.checked })} />
        <span>
          {text.closed} <code className="shacl">sh:closed</code>
        </span>
      </label>
    </section>
  )
}

function FaultCount({ of }: { of: number }) {
  const text = useText().schema
  return <span className="tag bad">{text.faults(of)}</span>
}

function Said({ faults }: { faults: Fault[] }) {
  return faults.map((fault, at) => (
    <p key={at} className="small fault-text">
      <code>{fault.term}</code> {fault.message}
    </p>
  ))
}
