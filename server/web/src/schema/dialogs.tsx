import { useState } from 'react'
import type { Kind } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { Dialog } from '../ui/Dialog'
import { Picker } from '../ui/Picker'
import type { Action, State } from './edit'
import { useOptions } from './ItemForm'
import { blank, has, isIri, mint, namer, type Item, type Ref } from './model'

interface Props {
  state: State
  dispatch: (action: Action) => void
  onClose: () => void
}

/** A new term: its name gives its IRI, which may be put otherwise before facts stand under it. */
export function AddDialog({ state, dispatch, onClose, kind }: Props & { kind: Kind }) {
  const text = useText().schema
  const { lang } = useSettings()
  const { schema } = state.present
  const chosen = state.selected?.kind === 'class' ? state.selected.iri : null
  const classes = useOptions(schema, 'class')
  const [label, setLabel] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const [parent, setParent] = useState<string | null>(chosen)
  const iri = typed ?? mint(schema, kind, label)
  const fault = !isIri(iri) ? text.form.noIri : has(schema, kind, iri) ? text.form.taken : null

  const add = () => {
    if (!label.trim() || fault) return
    let item: Item = blank(kind, iri, [{ lang, text: label.trim() }])
    if ('parents' in item) item = { ...item, parents: parent ? [parent] : [] }
    if ('domain' in item) item = { ...item, domain: parent }
    dispatch({ type: 'add', kind, item })
    onClose()
  }
  return (
    <Dialog title={text.add.title(text.kinds[kind].one)} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <label>
          {text.add.label}
          <input data-first required value={label} onChange={(event) => setLabel(event.target.value)} />
        </label>
        <label>
          IRI
          <input className="mono" value={iri} spellCheck={false} aria-invalid={fault ? true : undefined} onChange={(event) => setTyped(event.target.value.trim())} />
        </label>
        {fault && <p className="small fault-text">{fault}</p>}
        {kind !== 'qualifier' && (
          <Picker label={kind === 'class' ? text.add.below : text.form.domain} value={parent} options={classes} none={kind === 'class' ? text.add.root : text.form.anything} onPick={setParent} />
        )}
        <div className="row">
          <button className="main" disabled={!label.trim() || fault !== null}>
            {text.add.do}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** One class to another: by a new relation, or as a kind of it. */
export function ConnectDialog({ state, dispatch, onClose, from, to }: Props & { from: string; to: string | null }) {
  const text = useText().schema
  const { lang } = useSettings()
  const { schema } = state.present
  const classes = useOptions(schema, 'class')
  const name = namer(schema, lang)
  const [target, setTarget] = useState(to)
  const [way, setWay] = useState<'relation' | 'below'>('relation')
  const [label, setLabel] = useState('')
  const ready = target !== null && (way === 'relation' ? label.trim() !== '' : target !== from)

  const connect = () => {
    if (!ready || !target) return
    if (way === 'below') {
      const one = schema.classes.find((other) => other.iri === from)
      if (one && !one.parents.includes(target)) dispatch({ type: 'set', ref: { kind: 'class', iri: from }, part: { parents: [...one.parents, target] } })
    } else {
      const item = { ...blank('relation', mint(schema, 'relation', label), [{ lang, text: label.trim() }]), domain: from, range: { class: target } }
      dispatch({ type: 'add', kind: 'relation', item })
    }
    onClose()
  }
  return (
    <Dialog title={text.connect.title(name(from))} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          connect()
        }}
      >
        <Picker label={text.connect.target} value={target} options={classes} placeholder={text.form.choose} onPick={setTarget} />
        <fieldset className="stack">
          <legend>{text.connect.way}</legend>
          <label>
            <input type="radio" name="way" checked={way === 'relation'} onChange={() => setWay('relation')} />
            {text.connect.relation}
          </label>
          <label>
            <input type="radio" name="way" checked={way === 'below'} onChange={() => setWay('below')} />
            {text.connect.below(name(from), target ? name(target) : '…')}
          </label>
        </fieldset>
        {way === 'relation' && (
          <label>
            {text.add.label}
            <input data-first={to !== null || undefined} value={label} onChange={(event) => setLabel(event.target.value)} />
          </label>
        )}
        <div className="row">
          <button className="main" disabled={!ready}>
            {text.connect.do}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

export function MergeDialog({ state, dispatch, onClose, of }: Props & { of: Ref }) {
  const text = useText().schema
  const { lang } = useSettings()
  const options = useOptions(state.present.schema, of.kind)
  const name = namer(state.present.schema, lang)
  const [into, setInto] = useState<string | null>(null)
  return (
    <Dialog title={text.merge.title(name(of.iri))} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!into) return
          dispatch({ type: 'merge', ref: of, into })
          onClose()
        }}
      >
        <p>{text.merge.note(name(of.iri))}</p>
        <Picker label={text.merge.into} value={into} placeholder={text.form.choose} options={options.filter((option) => option.id !== of.iri)} onPick={setInto} />
        <div className="row">
          <button className="main" disabled={!into}>
            {text.merge.do}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
