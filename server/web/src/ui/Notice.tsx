import type { ReactNode } from 'react'
import type { Problem } from '../api/client'
import { useText } from '../app/settings'

/** What went wrong, in the service's words; quietly where there is no such thing or tenant. */
export function Trouble({ problem, retry }: { problem: Problem | null; retry?: () => void }) {
  const text = useText()
  if (!problem) return null
  if (problem.absent) return <p className="quiet absent">{problem.message}</p>
  return (
    <div className="notice bad" role="alert">
      <p>{problem.status === 0 ? text.shell.unreachable : problem.message}</p>
      {problem.faults.length > 0 && (
        <ul>
          {problem.faults.map((fault, at) => (
            <li key={at}>
              {fault.line}: {fault.term} {fault.message}
            </li>
          ))}
        </ul>
      )}
      {retry && <button onClick={retry}>{text.shell.retry}</button>}
    </div>
  )
}

export function Loading({ on }: { on: boolean }) {
  const text = useText()
  return on ? <p className="quiet">{text.shell.loading}</p> : null
}

/** What screen readers are told of when it changes. */
export function Said({ children }: { children: ReactNode }) {
  return (
    <div role="status" aria-live="polite">
      {children}
    </div>
  )
}
