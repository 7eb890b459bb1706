import { useCallback, useEffect, useRef, useState } from 'react'
import { isAbort, Problem } from '../api/client'

export interface Load<T> {
  value: T | null
  problem: Problem | null
  loading: boolean
  reload: () => void
}

/** Loads whenever `key` changes; an older load that comes late is dropped. With `key` null nothing is loaded. */
export function useLoad<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Load<T> {
  const [state, setState] = useState<{ key: string | null; value: T | null; problem: Problem | null; loading: boolean }>({
    key: null,
    value: null,
    problem: null,
    loading: key !== null,
  })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load

  useEffect(() => {
    if (key === null) {
      setState({ key, value: null, problem: null, loading: false })
      return
    }
    const abort = new AbortController()
    // What is shown stays while the same thing is loaded anew.
    setState((before) => ({ key, value: before.key === key ? before.value : null, problem: null, loading: true }))
    latest.current(abort.signal).then(
      (value) => setState({ key, value, problem: null, loading: false }),
      (error: unknown) => {
        if (isAbort(error) || abort.signal.aborted) return
        const problem = error instanceof Problem ? error : new Problem(0, { detail: String(error) })
        setState({ key, value: null, problem, loading: false })
      },
    )
    return () => abort.abort()
  }, [key, turn])

  const reload = useCallback(() => setTurn((n) => n + 1), [])
  return { ...state, reload }
}
