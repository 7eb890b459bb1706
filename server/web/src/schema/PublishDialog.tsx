import { useState, type ReactNode } from 'react'
import { Problem } from '../api/client'
import type { Impact } from '../api/types'
import { keep, recall, useText } from '../app/settings'
import { useLoad } from '../app/useLoad'
import { Dialog } from '../ui/Dialog'
import { Loading, Trouble } from '../ui/Notice'
import { ImpactView } from './ImpactView'

interface Props {
  title: string
  action: string
  preview: (signal: AbortSignal) => Promise<Impact>
  publish: (author: string, reason: string) => Promise<Impact>
  /** Somebody published in between. */
  onStale?: (problem: Problem) => void
  onDone: (impact: Impact) => void
  onClose: () => void
  children?: ReactNode
}

/** What a publish would do, and the publish; for a restored version too. */
export function PublishDialog({ title, action, preview, publish, onStale, onDone, onClose, children }: Props) {
  const text = useText().schema.publish
  const [author, setAuthor] = useState(recall('factmask.author') ?? '')
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const stale = (problem: Problem) => problem.status === 412 && onStale !== undefined
  const looked = useLoad('preview', async (signal) => {
    try {
      return await preview(signal)
    } catch (error) {
      if (error instanceof Problem && stale(error)) onStale?.(error)
      throw error
    }
  })

  const send = async () => {
    setBusy(true)
    setProblem(null)
    keep('factmask.author', author.trim())
    try {
      onDone(await publish(author.trim(), reason.trim()))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (stale(error)) onStale?.(error)
      else setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const ready = looked.value !== null && looked.value.changed && author.trim() !== '' && reason.trim() !== '' && !busy

  return (
    <Dialog title={title} onClose={onClose} form="wide">
      {children}
      <Loading on={looked.loading} />
      <Trouble problem={looked.problem} retry={looked.reload} />
      {looked.value && <ImpactView impact={looked.value} />}
      <form
        className="publish-form stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void send()
        }}
      >
        <label>
          {text.author}
          <input value={author} autoComplete="name" required onChange={(event) => setAuthor(event.target.value)} />
        </label>
        <label>
          {text.reason}
          <textarea rows={2} value={reason} required onChange={(event) => setReason(event.target.value)} />
        </label>
        <Trouble problem={problem} />
        <div className="row">
          <button className="main" disabled={!ready}>
            {action}
          </button>
          {looked.value && !looked.value.changed && <span className="quiet">{text.same}</span>}
        </div>
      </form>
    </Dialog>
  )
}
