import { useCallback, useEffect, useState } from 'react'
import { call } from '../api/client'
import type { Change, Impact } from '../api/types'
import { useSettings, useText } from '../app/settings'
import { Loading, Trouble } from '../ui/Notice'
import { Canvas } from './Canvas'
import { AddDialog, ConnectDialog, MergeDialog } from './dialogs'
import { ItemForm, type Ask } from './ItemForm'
import { Outline } from './Outline'
import { PublishDialog } from './PublishDialog'
import { SplitDialog } from './SplitDialog'
import { StaleDialog } from './StaleDialog'
import { Toolbar, type View } from './Toolbar'
import { TurtleView, type Typed } from './TurtleView'
import { useChecked } from './useChecked'
import { useEditor } from './useEditor'
import { useToldRemovals } from './useToldRemovals'
import { VersionsView } from './VersionsView'

type Open = Ask | { about: 'link'; from: string; to: string } | { about: 'publish' } | { about: 'stale'; changes: Change[] | null }

export default function SchemaPage() {
  const { tenant } = useSettings()
  // Another tenant's schema is another editor.
  return <SchemaEditor key={tenant} tenant={tenant} />
}

function SchemaEditor({ tenant }: { tenant: string }) {
  const text = useText().schema
  const { lang } = useSettings()
  const editor = useEditor(tenant)
  const { state } = editor
  const { present } = state
  const { dispatch, told, dismiss } = useToldRemovals(editor, lang)
  const check = useChecked(present.schema, editor.ready)
  const [view, setView] = useState<View>('canvas')
  const [typed, setTyped] = useState<Typed | null>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const close = useCallback(() => setOpen(null), [])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      // A dialog's fields and the Turtle text undo what is typed in them by themselves.
      if (event.target instanceof Element && event.target.closest('dialog, .turtle')) return
      event.preventDefault()
      dispatch({ type: key === 'y' || event.shiftKey ? 'redo' : 'undo' })
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [dispatch])

  const sent = { base: state.base, schema: present.schema, renames: present.renames, splits: present.splits, lang }
  const discard = async () => {
    // A text that is being checked would put its edits back.
    setTyped(null)
    await editor.discard()
    setTyped(null)
  }
  const finish = (impact: Impact) => {
    setOpen(null)
    setTyped(null)
    setDone(impact.version ? text.publish.done(impact.version) : text.publish.doneUnnumbered)
  }

  if (!editor.ready) {
    return (
      <div className="pad">
        <h1 className="unseen">{text.title}</h1>
        <Loading on={!editor.problem} />
        <Trouble problem={editor.problem} retry={() => void editor.reload()} />
      </div>
    )
  }
  return (
    <div className="schema">
      <h1 className="unseen">{text.title}</h1>
      <Toolbar editor={editor} check={check} view={view} setView={setView} add={(kind) => setOpen({ about: 'add', kind })} publish={() => setOpen({ about: 'publish' })} discard={() => void discard()} />
      <Trouble problem={editor.problem} />
      <div role="status" className="schema-notices">
        {told && (
          <p className="notice warn">
            {told}
            <button className="link" onClick={dismiss}>
              {text.dismiss}
            </button>
          </p>
        )}
        {done && (
          <p className="notice good">
            {done}
            <button className="link" onClick={() => setDone(null)}>
              {text.dismiss}
            </button>
          </p>
        )}
        {editor.stale && (
          <p className="notice warn">
            {text.stale.notice}
            <button className="link" onClick={() => setOpen({ about: 'stale', changes: null })}>
              {text.stale.apply}
            </button>
          </p>
        )}
        {typed?.faults && typed.faults.length > 0 && view !== 'turtle' && (
          <p className="notice warn">
            {text.turtle.pending}
            <button className="link" onClick={() => setView('turtle')}>
              {text.views.turtle}
            </button>
          </p>
        )}
      </div>
      <div className="schema-body">
        <Outline state={state} dispatch={dispatch} />
        <section className="schema-view" aria-label={text.views[view]}>
          {view === 'canvas' && <Canvas state={state} dispatch={dispatch} onConnect={(from, to) => setOpen({ about: 'link', from, to })} />}
          {view === 'turtle' && <TurtleView schema={present.schema} check={check} typed={typed} setTyped={setTyped} dispatch={dispatch} />}
          {view === 'versions' && <VersionsView tenant={tenant} restore={editor.restore} onRestored={finish} />}
        </section>
        <aside className="schema-form" aria-label={text.form.label}>
          <ItemForm state={state} dispatch={dispatch} check={check} ask={setOpen} />
          {present.schema.kept.length > 0 && (
            <details className="kept">
              <summary>{text.kept(present.schema.kept.length)}</summary>
              <pre className="code">{present.schema.kept.join('\n')}</pre>
            </details>
          )}
        </aside>
      </div>
      {open?.about === 'add' && <AddDialog state={state} dispatch={dispatch} onClose={close} kind={open.kind} />}
      {open?.about === 'connect' && <ConnectDialog state={state} dispatch={dispatch} onClose={close} from={open.ref.iri} to={null} />}
      {open?.about === 'link' && <ConnectDialog state={state} dispatch={dispatch} onClose={close} from={open.from} to={open.to} />}
      {open?.about === 'merge' && <MergeDialog state={state} dispatch={dispatch} onClose={close} of={open.ref} />}
      {open?.about === 'split' && <SplitDialog state={state} dispatch={dispatch} onClose={close} of={open.of} />}
      {open?.about === 'stale' && <StaleDialog changes={open.changes} takeOver={editor.takeOver} onClose={close} />}
      {open?.about === 'publish' && (
        <PublishDialog
          title={text.publish.title}
          action={text.publish.do}
          preview={async (signal) => (await call<Impact>('POST', '/v1/schema/preview', { json: sent, query: { tenant }, signal })).body}
          publish={(author, reason) => editor.publish(async () => (await call<Impact>('POST', '/v1/schema/publish', { json: { ...sent, author, reason }, query: { tenant } })).body)}
          onStale={(problem) => setOpen({ about: 'stale', changes: problem.changes })}
          onDone={finish}
          onClose={close}
        />
      )}
    </div>
  )
}
