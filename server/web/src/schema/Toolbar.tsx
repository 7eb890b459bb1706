import { useRef, useState } from 'react'
import { Problem } from '../api/client'
import { exportSchema } from '../api/schema'
import type { Fault, Kind } from '../api/types'
import { useText } from '../app/settings'
import { Dialog } from '../ui/Dialog'
import { Menu } from '../ui/Menu'
import { isEdited } from './edit'
import { kinds } from './model'
import { download, mostBytes, readSchema } from './transfer'
import { Faults } from './TurtleView'
import type { Check } from './useChecked'
import type { Editor } from './useEditor'

export const views = ['canvas', 'turtle', 'versions'] as const
export type View = (typeof views)[number]

interface Props {
  editor: Editor
  check: Check
  view: View
  setView: (view: View) => void
  add: (kind: Kind) => void
  publish: () => void
}

export function Toolbar({ editor, check, view, setView, add, publish }: Props) {
  const text = useText().schema
  const { state, dispatch } = editor
  const edited = isEdited(state)
  const file = useRef<HTMLInputElement>(null)
  const [told, setTold] = useState<{ title: string; faults: Fault[] } | null>(null)
  const faults = check.of === state.present.schema ? (check.checked?.faults ?? []) : []
  const refuse = (name: string, error: unknown) => {
    if (error instanceof Problem && error.faults.length > 0) setTold({ title: text.refused(name), faults: error.faults })
    else setTold({ title: text.refused(name), faults: [{ line: 0, term: '', message: error instanceof TypeError ? text.noSchema : error instanceof Error ? error.message : String(error) }] })
  }

  const take = async (chosen: File) => {
    try {
      if (chosen.size > mostBytes) throw new Error(text.tooLarge)
      const { schema, faults, notes } = await readSchema(chosen)
      if (schema) dispatch({ type: 'replace', schema })
      if (!schema || faults.length > 0) setTold({ title: text.refused(chosen.name), faults })
      else if (notes.length > 0) setTold({ title: text.taken(chosen.name), faults: notes })
    } catch (error) {
      refuse(chosen.name, error)
    }
  }
  const give = async () => {
    try {
      download('schema.ttl', 'text/turtle', await exportSchema(state.present.schema))
    } catch (error) {
      refuse('schema.ttl', error)
    }
  }

  return (
    <div className="schema-bar" role="toolbar" aria-label={text.toolbar}>
      <div className="row" role="group" aria-label={text.add.group}>
        {kinds.map((kind) => (
          <button key={kind} className="small" onClick={() => add(kind)}>
            + {text.kinds[kind].one}
          </button>
        ))}
      </div>
      <div className="row">
        <button className="small" disabled={state.past.length === 0} onClick={() => dispatch({ type: 'undo' })} aria-keyshortcuts="Control+Z">
          {text.undo}
        </button>
        <button className="small" disabled={state.future.length === 0} onClick={() => dispatch({ type: 'redo' })} aria-keyshortcuts="Control+Shift+Z">
          {text.redo}
        </button>
      </div>
      <div className="row" role="group" aria-label={text.views.label}>
        {views.map((one) => (
          <button key={one} className="small" aria-pressed={view === one} onClick={() => setView(one)}>
            {text.views[one]}
          </button>
        ))}
      </div>
      <Menu name={text.transfer}>
        <button className="small" onClick={() => file.current?.click()}>
          {text.import}
        </button>
        <button className="small" onClick={() => void give()}>
          {text.exportTurtle}
        </button>
        <button className="small" onClick={() => download('schema.json', 'application/json', JSON.stringify(state.present.schema, null, 2))}>
          {text.exportJson}
        </button>
      </Menu>
      <input
        ref={file}
        type="file"
        hidden
        accept=".ttl,.json,.nt,text/turtle,application/json"
        aria-label={text.import}
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) void take(chosen)
        }}
      />
      <div className="row schema-state">
        <span role="status" className={`small ${faults.length > 0 ? 'fault-text' : 'quiet'}`}>
          {faults.length > 0 ? text.faults(faults.length) : check.checked ? text.valid : ''}
          {edited && ` · ${text.saving[editor.saving]}`}
        </span>
        {edited && (
          <button className="small" onClick={() => void editor.discard()}>
            {text.discard}
          </button>
        )}
        <button className="small main" disabled={!edited || faults.length > 0} onClick={publish}>
          {text.publish.open}
        </button>
      </div>
      {told && (
        <Dialog title={told.title} onClose={() => setTold(null)}>
          <Faults faults={told.faults} />
        </Dialog>
      )}
    </div>
  )
}
