import { useState } from 'react'
import { call, Problem } from '../api/client'
import type { Answer, Ask, Turn } from '../api/types'

export interface Exchange {
  id: number
  question: string
  answer: Answer | null
  problem: Problem | null
}

export interface AskOptions {
  fromText: boolean
  compare: boolean
}

// Conversations outlive the page that shows them, by tenant: who looks at the graph in between finds them again.
const kept = new Map<string, Exchange[]>()
let latest = 0

/** The earlier questions as the service wants them; it looks at six at most. */
export function history(exchanges: readonly Exchange[]): Turn[] {
  const given = exchanges.filter((exchange) => exchange.answer)
  return given.slice(-6).map(({ question, answer }) => ({
    question,
    answer: answer?.status === 'answered' || answer?.status === 'from_text' ? answer.text : null,
  }))
}

export function useConversation(tenant: string) {
  const [exchanges, setExchanges] = useState<Exchange[]>(() => kept.get(tenant) ?? [])

  const change = (to: (before: Exchange[]) => Exchange[]) => {
    const after = to(kept.get(tenant) ?? [])
    kept.set(tenant, after)
    setExchanges(after)
  }

  const ask = async (question: string, { fromText, compare }: AskOptions) => {
    const id = ++latest
    const before = kept.get(tenant) ?? []
    change((all) => [...all, { id, question, answer: null, problem: null }])
    const json: Ask = { question, tenant, history: history(before), explain: true, sentence: true, from_text: fromText, compare_text: compare }
    const settle = (part: Partial<Exchange>) => change((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)))
    try {
      settle({ answer: (await call<Answer>('POST', '/v1/answers', { json })).body })
    } catch (error) {
      settle({ problem: error instanceof Problem ? error : new Problem(0, { detail: String(error) }) })
    }
  }

  return { exchanges, ask, forget: () => change(() => []) }
}
