import type { ReactNode } from 'react'
import type { Rule } from '../api/types'
import type { Schema } from '../api/schema'
import { useText } from '../app/settings'
import { Picker } from '../ui/Picker'
import { Bounds } from './Bounds'
import { TextsField } from './fields'
import { useOptions } from './ItemForm'
import { shaclNames, type RuleFault } from './ruleFaults'
import { isNothing, withPart } from './rules'
import { valuesOf } from './ruleSays'
import { sayTerm, termOf, xsd } from './terms'
import { Labelled, Typed } from './typed'

interface Props {
  rule: Rule
  schema: Schema
  faults: RuleFault[]
  onChange: (rule: Rule, step: string) => void
}

const nodeKinds = ['blank_node_or_iri', 'literal', 'iri', 'iri_or_literal', 'blank_node', 'blank_node_or_literal'] as const
const severities = ['violation', 'warning', 'info'] as const
const langString = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'
const datatypes = ['string', 'langString', 'integer', 'decimal', 'double', 'date', 'dateTime', 'gYear', 'boolean', 'anyURI'] as const
const datatypeIri = (name: (typeof datatypes)[number]) => (name === 'langString' ? langString : xsd + name)

/** Everything that a rule asks, in groups of which those that ask something stand open. */
export function RuleForm({ rule, schema, faults, onChange }: Props) {
  const text = useText().rules
  const classes = useOptions(schema, 'class')
  const kind = valuesOf(rule, schema)
  const set = (part: Partial<Rule>, step = '') => onChange(withPart(rule, part), step)
  const named = (field: keyof typeof shaclNames) => ({
    shacl: shaclNames[field],
    fault: faults.filter((one) => one.field === field).map(({ fault }) => `${fault.term} ${fault.message}`).join('; ') || undefined,
  })
  const asks = (...fields: (keyof Rule)[]) => fields.some((field) => !isNothing(rule[field]) || faults.some((fault) => fault.field === field))

  const number = (field: 'min_count' | 'max_count' | 'min_length' | 'max_length', label: string) => (
    <Typed label={label} {...named(field)} value={rule[field] ?? null} say={(value) => (value === null ? '' : String(value))} read={readCount(text.noNumber)} onChange={(value) => set({ [field]: value }, field)} />
  )
  const lines = (field: 'one_of' | 'has_value', label: string) => (
    <Typed
      lines
      label={label}
      {...named(field)}
      hint={text.valuesHint}
      value={rule[field] ?? []}
      say={(terms) => terms.map((term) => sayTerm(term, kind)).join('\n')}
      read={(typed) => {
        const written = typed.split('\n').filter((line) => line.trim())
        const wrong = written.find((line) => termOf(line, kind) === null)
        return wrong === undefined ? { value: written.flatMap((line) => termOf(line, kind) ?? []) } : { wrong: text.noValue(wrong.trim()) }
      }}
      onChange={(terms) => set({ [field]: terms }, field)}
    />
  )
  const words = (field: 'pattern' | 'flags', label: string, hint: string) => (
    <Labelled label={label} {...named(field)} hint={hint}>
      {(told) => <input {...told} className="mono" spellCheck={false} value={rule[field] ?? ''} onChange={(event) => set({ [field]: event.target.value }, field)} />}
    </Labelled>
  )

  const known = datatypes.some((name) => datatypeIri(name) === rule.datatype)
  return (
    <div className="rule-form stack">
      <label>
        <input type="checkbox" checked={rule.inverse ?? false} onChange={(event) => set({ inverse: event.target.checked })} />
        <span>
          {text.inverse} <code className="shacl">{shaclNames.inverse}</code>
        </span>
      </label>
      <Group title={text.groups.count} open>
        <div className="pair">
          {number('min_count', text.minCount)}
          {number('max_count', text.maxCount)}
        </div>
      </Group>
      <Group title={text.groups.values} open={asks('class', 'datatype', 'node_kind', 'one_of', 'has_value')}>
        <div className="labelled">
          <Picker label={text.class} hint={<code className="shacl">{shaclNames.class}</code>} value={rule.class ?? null} options={classes} none={text.any} onPick={(iri) => set({ class: iri })} />
          {named('class').fault && <p className="small fault-text">{named('class').fault}</p>}
        </div>
        <Labelled label={text.datatype} {...named('datatype')}>
          {(told) => (
            <select {...told} value={rule.datatype ?? ''} onChange={(event) => set({ datatype: event.target.value })}>
              <option value="">{text.any}</option>
              {datatypes.map((name) => (
                <option key={name} value={datatypeIri(name)}>
                  {text.datatypes[name]}
                </option>
              ))}
              {rule.datatype && !known && <option value={rule.datatype}>{rule.datatype}</option>}
            </select>
          )}
        </Labelled>
        <Labelled label={text.nodeKind} {...named('node_kind')}>
          {(told) => (
            <select {...told} value={rule.node_kind ?? ''} onChange={(event) => set({ node_kind: (event.target.value || null) as Rule['node_kind'] })}>
              <option value="">{text.any}</option>
              {nodeKinds.map((one) => (
                <option key={one} value={one}>
                  {text.nodeKinds[one]}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        {lines('one_of', text.oneOf)}
        {lines('has_value', text.hasValue)}
      </Group>
      <Group title={text.groups.limits} open={asks('min_inclusive', 'min_exclusive', 'max_inclusive', 'max_exclusive')}>
        <Bounds side="min" rule={rule} kind={kind === 'entity' || kind === 'boolean' ? 'number' : kind} named={named} set={set} />
        <Bounds side="max" rule={rule} kind={kind === 'entity' || kind === 'boolean' ? 'number' : kind} named={named} set={set} />
      </Group>
      <Group title={text.groups.words} open={asks('pattern', 'flags', 'min_length', 'max_length', 'language_in', 'unique_lang')}>
        {words('pattern', text.pattern, text.patternHint)}
        {rule.pattern || rule.flags ? words('flags', text.flags, text.flagsHint) : null}
        <div className="pair">
          {number('min_length', text.minLength)}
          {number('max_length', text.maxLength)}
        </div>
        <Typed
          label={text.languages}
          {...named('language_in')}
          hint={text.languagesHint}
          value={rule.language_in ?? []}
          say={(tags) => tags.join(', ')}
          read={(typed) => ({ value: typed.split(/[\s,，、]+/).filter(Boolean) })}
          onChange={(tags) => set({ language_in: tags }, 'language_in')}
        />
        <label>
          <input type="checkbox" checked={rule.unique_lang ?? false} onChange={(event) => set({ unique_lang: event.target.checked })} />
          <span>
            {text.uniqueLang} <code className="shacl">{shaclNames.unique_lang}</code>
          </span>
        </label>
      </Group>
      <Group title={text.groups.told} open={asks('message') || (rule.severity ?? 'violation') !== 'violation'}>
        <Labelled label={text.severity} {...named('severity')}>
          {(told) => (
            <select {...told} value={rule.severity ?? 'violation'} onChange={(event) => set({ severity: event.target.value === 'violation' ? null : (event.target.value as Rule['severity']) })}>
              {severities.map((one) => (
                <option key={one} value={one}>
                  {text.severities[one]}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <TextsField label={text.message} texts={rule.message ?? []} onChange={(message, step) => set({ message }, step)} />
      </Group>
      {rule.notes && rule.notes.length > 0 && <p className="small quiet">{text.notes(rule.notes.length)}</p>}
    </div>
  )
}

function Group({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  return (
    <details className="rule-group" open={open || undefined}>
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  )
}

const readCount = (wrong: string) => (typed: string) => {
  const trimmed = typed.trim()
  if (trimmed === '') return { value: null }
  return /^\d{1,9}$/.test(trimmed) ? { value: Number(trimmed) } : { wrong }
}
