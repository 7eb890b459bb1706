import { useState } from 'react'
import { call, Problem } from '../api/client'
import type { Query } from '../api/client'
import type { Fact, FactPage } from '../api/types'

/** The further pages of a list of facts whose first page is there. */
export function useFactPages(first: FactPage | null, query: Query) {
  const [more, setMore] = useState<{ of: FactPage | null; facts: Fact[]; next: string | null | undefined }>({ of: null, facts: [], next: null })
  const [problem, setProblem] = useState<Problem | null>(null)
  const own = more.of === first
  const facts = [...(first?.facts ?? []), ...(own ? more.facts : [])]
  const next = own ? more.next : first?.next

  const load = async () => {
    try {
      const page = (await call<FactPage>('GET', '/v1/facts', { query: { ...query, cursor: next } })).body
      setMore({ of: first, facts: [...(own ? more.facts : []), ...page.facts], next: page.next })
      setProblem(null)
    } catch (error) {
      if (error instanceof Problem) setProblem(error)
      else throw error
    }
  }
  return { facts, total: first?.total ?? 0, more: next ? load : null, problem }
}
