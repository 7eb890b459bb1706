import type { Kind } from '../api/types'
import { useText } from '../app/settings'
import { isEdited } from './edit'
import { kinds } from './model'
import { TransferMenu } from './TransferMenu'
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
  discard: () => void
}

export function Toolbar({ editor, check, view, setView, add, publish, discard }: Props) {
  const text = useText().schema
  const { state, dispatch } = editor
  const edited = isEdited(state)
  const faults = check.of === state.present.schema ? (check.checked?.faults ?? []) : []

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
      <TransferMenu schema={state.present.schema} dispatch={dispatch} />
      <div className="row schema-state">
        <span role="status" className={`small ${faults.length > 0 ? 'fault-text' : 'quiet'}`}>
          {faults.length > 0 ? text.faults(faults.length) : check.checked ? text.valid : ''}
          {edited && ` · ${text.saving[editor.saving]}`}
        </span>
        {edited && (
          <button className="small" onClick={discard}>
            {text.discard}
          </button>
        )}
        <button className="small main" disabled={!edited || faults.length > 0} onClick={publish}>
          {text.publish.open}
        </button>
      </div>
    </div>
  )
}
