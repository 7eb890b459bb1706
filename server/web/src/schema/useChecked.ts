import { useEffect, useState } from 'react'
import { isAbort, Problem } from '../api/client'
import { checkSchema, type Checked, type Schema } from '../api/schema'

const checkAfter = 350

export interface Check {
  /** The schema that was checked; another one than the editor's while that is being checked. */
  of: Schema | null
  checked: Checked | null
  problem: Problem | null
}

/** Checks the schema as it is edited. */
export function useChecked(schema: Schema, ready: boolean): Check {
  const [check, setCheck] = useState<Check>({ of: null, checked: null, problem: null })
  useEffect(() => {
    if (!ready) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      checkSchema({ schema }, abort.signal).then(
        (checked) => setCheck({ of: schema, checked, problem: null }),
        (error: unknown) => {
          if (!isAbort(error) && error instanceof Problem) setCheck({ of: schema, checked: null, problem: error })
        },
      )
    }, checkAfter)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [schema, ready])
  return check
}
