// Routes whose bodies the interface's description does not have yet.

import type { Evidence, Named } from './types'

export type PairState = 'proposed' | 'merged' | 'apart'

export interface Pair {
  id: string
  one: Named
  other: Named
  score: number
  reasons: string[]
  state: PairState
  by: 'rule' | 'hand'
}

export interface Suggestion {
  id: string
  kind: 'relation' | 'class'
  label: string
  domain: string | null
  range: string | null
  count: number
  evidence: Evidence[]
  state: 'open' | 'accepted' | 'rejected'
}
