import { useEffect, useId, useState, type ReactNode } from 'react'
import { same } from './mergeFields'

export interface LabelProps {
  label: string
  /** What SHACL calls it, for those who know. */
  shacl: string
  fault?: string | undefined
}

/** A label with the SHACL name beside it, and below what is wrong with what the field says. */
export function Labelled({ label, shacl, fault, hint, children }: LabelProps & { hint?: string | undefined; children: (id: { id: string; 'aria-invalid'?: true; 'aria-describedby': string }) => ReactNode }) {
  const id = useId()
  const told = { id, ...(fault ? { 'aria-invalid': true as const } : {}), 'aria-describedby': `${id}-told` }
  return (
    <div className="labelled">
      <label htmlFor={id}>
        {label} <code className="shacl">{shacl}</code>
      </label>
      {children(told)}
      <p id={`${id}-told`} className={fault ? 'small fault-text' : 'small quiet'} aria-live="polite">
        {fault ?? hint}
      </p>
    </div>
  )
}

interface Props<T> extends LabelProps {
  value: T
  say: (value: T) => string
  /** What is meant by the text, or what is wrong with it. */
  read: (text: string) => { value: T } | { wrong: string }
  onChange: (value: T) => void
  hint?: string
  lines?: boolean
  /** Stands before the field, and is a part of what it says. */
  before?: ReactNode
}

/** A field whose text says something else than text. What is typed stands as it was typed until the value becomes another one. */
export function Typed<T>({ value, say, read, onChange, lines, before, fault, ...label }: Props<T>) {
  const [typed, setTyped] = useState(() => say(value))
  const now = read(typed)
  useEffect(() => {
    if (!('value' in now && same(now.value, value))) setTyped(say(value))
    // Only a value that came from elsewhere replaces what is typed.
  }, [JSON.stringify(value)])
  const change = (text: string) => {
    setTyped(text)
    const meant = read(text)
    if ('value' in meant && !same(meant.value, value)) onChange(meant.value)
  }
  const wrong = 'wrong' in now ? now.wrong : fault
  return (
    <Labelled {...label} fault={wrong}>
      {(told) =>
        lines ? (
          <textarea {...told} rows={Math.min(6, typed.split('\n').length)} spellCheck={false} value={typed} onChange={(event) => change(event.target.value)} />
        ) : (
          <div className="beside-before">
            {before}
            <input {...told} spellCheck={false} autoComplete="off" value={typed} onChange={(event) => change(event.target.value)} />
          </div>
        )
      }
    </Labelled>
  )
}
