import { useState } from 'react'
import type { Text, When } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { Dialog } from '../ui/Dialog'
import type { Action, State } from './edit'
import { find, has, isIri, mint, nameOf, type Item } from './model'
import { WhenField } from './WhenField'

interface Props {
  state: State
  dispatch: (action: Action) => void
  onClose: () => void
  of: { kind: 'class' | 'relation'; iri: string }
}

/** A term becomes two: how the new one is called, and what goes there. */
export function SplitDialog({ state, dispatch, onClose, of }: Props) {
  const text = useText().schema
  const { lang } = useSettings()
  const { schema } = state.present
  const from = find(schema, of)
  const [label, setLabel] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const [below, setBelow] = useState(true)
  const [when, setWhen] = useState<When | null>(null)
  const iri = typed ?? mint(schema, of.kind, label)
  const fault = !isIri(iri) ? text.form.noIri : has(schema, of.kind, iri) ? text.form.taken : null
  if (!from) return null
  const name = nameOf(from, lang)
  const ready = label.trim() !== '' && !fault && when !== null

  const split = () => {
    if (!ready) return
    const item = parted(from, iri, { lang, text: label.trim() }, below)
    dispatch({ type: 'split', ref: of, item, when })
    onClose()
  }
  return (
    <Dialog title={text.split.title(name)} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          split()
        }}
      >
        <p>{text.split.note(name)}</p>
        <label>
          {text.split.label}
          <input data-first required value={label} onChange={(event) => setLabel(event.target.value)} />
        </label>
        <label>
          IRI
          <input className="mono" value={iri} spellCheck={false} aria-invalid={fault ? true : undefined} onChange={(event) => setTyped(event.target.value.trim())} />
        </label>
        {fault && <p className="small fault-text">{fault}</p>}
        {of.kind === 'class' && (
          <label>
            <input type="checkbox" checked={below} onChange={(event) => setBelow(event.target.checked)} />
            {text.split.below(label.trim() || '…', name)}
          </label>
        )}
        <WhenField schema={schema} of={of} onChange={setWhen} />
        <div className="row">
          <button className="main" disabled={!ready}>
            {text.split.do}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The new term is like the other but for its names, the wordings that would be understood of both, and what it has from a class above it. */
function parted(from: Item, iri: string, label: Text, below: boolean): Item {
  const own = { ...from, iri, labels: [label], aliases: [] }
  if (!('parents' in own)) return { ...own, inverse: null, questions: [], statements: [] } as Item
  return below ? { ...own, parents: [from.iri], closed: false, rules: [] } : own
}
