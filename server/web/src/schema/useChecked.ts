import { useEffect, useState } from 'react'
import { call, isAbort, Problem } from '../api/client'
import type { Checked, Schema } from '../api/contract'

const checkAfter = 350

export interface Check {
  /** The schema that was checked; another one than the editor's while that is being checked. */
  of: Schema | null
  checked: Checked | null
  problem: Problem | null
}

/** Checks the schema as it is edited. */
export function useChecked(schema: Schema, ready: boolean, tenant: string): Check {
  const [check, setCheck] = useState<Check>({ of: null, checked: null, problem: null })
  useEffect(() => {
    if (!ready) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      call<Checked>('POST', '/v1/schema/check', { json: schema, query: { tenant }, signal: abort.signal }).then(
        ({ body }) => setCheck({ of: schema, checked: body, problem: null }),
        (error: unknown) => {
          if (!isAbort(error) && error instanceof Problem) setCheck({ of: schema, checked: null, problem: error })
        },
      )
    }, checkAfter)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [schema, ready, tenant])
  return check
}
