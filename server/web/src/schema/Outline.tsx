import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Kind } from '../api/types'
import { useSettings, useText } from '../app/settings'
import type { Action, State } from './edit'
import { items, kinds } from './model'
import { Rows } from './Rows'
import { above, listRows, treeRows, type Row } from './tree'

interface Props {
  state: State
  dispatch: (action: Action) => void
}

/** All terms: classes as a tree, the others as lists, each searched in one box. */
export function Outline({ state, dispatch }: Props) {
  const text = useText().schema
  const { lang } = useSettings()
  const { schema } = state.present
  const { selected } = state
  const [kind, setKind] = useState<Kind>('class')
  const [search, setSearch] = useState('')
  const sought = useDeferredValue(search.trim())
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set())

  // A small tree is shown whole at first; of a large one the roots.
  const size = schema.classes.length
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current || size === 0) return
    begun.current = true
    if (size <= 120) setOpen(new Set(schema.classes.map((one) => one.iri)))
  }, [size, schema])

  // What is chosen elsewhere is shown here.
  useEffect(() => {
    if (!selected) return
    setKind(selected.kind)
    if (selected.kind !== 'class') return
    const over = above(schema.classes, selected.iri)
    setOpen((before) => ([...over].every((iri) => before.has(iri)) ? before : new Set([...before, ...over])))
    // Only a new choice opens the way to it; else nothing above a chosen class could be closed.
  }, [selected?.kind, selected?.iri])

  const tree = kind === 'class' && sought === ''
  const rows = useMemo(() => (tree ? treeRows(schema.classes, open, lang) : listRows(schema, kind, sought, lang)), [tree, schema, open, lang, kind, sought])

  const choose = (row: Row) => dispatch({ type: 'select', ref: { kind, iri: row.iri } })
  const toggle = (row: Row, to: boolean) => {
    const after = new Set(open)
    if (to) after.add(row.iri)
    else after.delete(row.iri)
    setOpen(after)
  }

  return (
    <section className="outline" aria-label={text.outline}>
      <div className="outline-tabs" role="group" aria-label={text.outline}>
        {kinds.map((one) => (
          <button key={one} className="small" aria-pressed={kind === one} onClick={() => setKind(one)}>
            {text.kinds[one].many} <span className="number">{items(schema, one).length}</span>
          </button>
        ))}
      </div>
      <input type="search" aria-label={text.search} placeholder={text.search} value={search} onChange={(event) => setSearch(event.target.value)} />
      <Rows
        rows={rows}
        tree={tree}
        label={text.kinds[kind].many}
        chosen={selected?.kind === kind ? selected.iri : null}
        onChoose={choose}
        onToggle={toggle}
        onRemove={(row) => dispatch({ type: 'remove', ref: { kind, iri: row.iri } })}
      />
      {rows.length === 0 && <p className="quiet small pad">{text.nothingFound}</p>}
    </section>
  )
}
