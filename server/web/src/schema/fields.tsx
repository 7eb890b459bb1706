import { useEffect, useRef, useState } from 'react'
import type { Text } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { Picker, type Option } from '../ui/Picker'
import { isIri } from './model'

interface TextsProps {
  label: string
  hint?: string
  texts: Text[]
  onChange: (texts: Text[], step: string) => void
  long?: boolean
}

/** Words by language, a line each. */
export function TextsField({ label, hint, texts, onChange, long }: TextsProps) {
  const text = useText().schema.form
  const { lang } = useSettings()
  const box = useRef<HTMLFieldSetElement>(null)
  const [fresh, setFresh] = useState(false)
  useEffect(() => {
    if (!fresh) return
    setFresh(false)
    const inputs = box.current?.querySelectorAll<HTMLElement>('[data-words]')
    inputs?.[inputs.length - 1]?.focus()
  }, [fresh, texts.length])

  const set = (at: number, part: Partial<Text>) => onChange(texts.map((one, other) => (other === at ? { ...one, ...part } : one)), `${label} ${at} ${Object.keys(part)[0]}`)
  const drop = (at: number) => {
    onChange(texts.filter((_, other) => other !== at), `${label} drop ${texts.length}`)
    box.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return (
    <fieldset ref={box} className="texts">
      <legend>{label}</legend>
      {hint && <p className="quiet small">{hint}</p>}
      {texts.map((one, at) => (
        <div key={at} className="texts-line">
          <input className="lang" aria-label={`${label} ${at + 1}: ${text.lang}`} value={one.lang} size={3} maxLength={20} spellCheck={false} onChange={(event) => set(at, { lang: event.target.value.trim() })} />
          {long ? (
            <textarea data-words aria-label={`${label} ${at + 1}`} rows={one.text.length > 44 ? 2 : 1} lang={one.lang || undefined} value={one.text} onChange={(event) => set(at, { text: event.target.value.replace(/\n/g, ' ') })} />
          ) : (
            <input data-words aria-label={`${label} ${at + 1}`} lang={one.lang || undefined} value={one.text} onChange={(event) => set(at, { text: event.target.value })} />
          )}
          <button className="plain" aria-label={text.drop(one.text || label)} title={text.drop(one.text || label)} onClick={() => drop(at)}>
            ×
          </button>
        </div>
      ))}
      <button
        data-add
        className="link"
        onClick={() => {
          onChange([...texts, { lang, text: '' }], `${label} add ${texts.length}`)
          setFresh(true)
        }}
      >
        {text.add(label)}
      </button>
    </fieldset>
  )
}

interface IrisProps {
  label: string
  iris: string[]
  options: readonly Option[]
  name: (iri: string) => string
  onChange: (iris: string[]) => void
  onOpen?: (iri: string) => void
}

/** Several terms of one kind. */
export function IrisField({ label, iris, options, name, onChange, onOpen }: IrisProps) {
  const text = useText().schema.form
  return (
    <div className="iris">
      {iris.length > 0 && (
        <ul className="chips" aria-label={label}>
          {iris.map((iri) => (
            <li key={iri} className="chip">
              {onOpen ? (
                <button className="link" onClick={() => onOpen(iri)}>
                  {name(iri)}
                </button>
              ) : (
                <span>{name(iri)}</span>
              )}
              <button className="plain" aria-label={text.drop(name(iri))} onClick={() => onChange(iris.filter((other) => other !== iri))}>
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <Picker
        label={iris.length > 0 ? text.add(label) : label}
        placeholder={text.choose}
        value={null}
        options={options.filter((option) => !iris.includes(option.id))}
        onPick={(iri) => iri && onChange([...iris, iri])}
      />
    </div>
  )
}

interface IriProps {
  iri: string
  taken: (iri: string) => boolean
  onRename: (to: string) => void
}

/** The IRI; to change it is to rename the term, which moves its facts when it is published. */
export function IriField({ iri, taken, onRename }: IriProps) {
  const text = useText().schema.form
  const [typed, setTyped] = useState(iri)
  useEffect(() => setTyped(iri), [iri])
  const fault = typed === iri ? null : !isIri(typed) ? text.noIri : taken(typed) ? text.taken : null
  const commit = () => {
    if (typed !== iri && !fault) onRename(typed)
  }
  return (
    <div className="stack iri-field">
      <label>
        IRI
        <input
          className="mono"
          value={typed}
          spellCheck={false}
          aria-invalid={fault ? true : undefined}
          aria-describedby="iri-fault"
          onChange={(event) => setTyped(event.target.value.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            if (event.key === 'Escape') setTyped(iri)
          }}
        />
      </label>
      <p id="iri-fault" className="small fault-text" aria-live="polite">
        {fault}
      </p>
      {typed !== iri && (
        <div className="row">
          <button className="small main" disabled={fault !== null} onClick={commit}>
            {text.rename}
          </button>
          <button className="small" onClick={() => setTyped(iri)}>
            {text.leave}
          </button>
          <span className="quiet small">{text.renameNote}</span>
        </div>
      )}
    </div>
  )
}
