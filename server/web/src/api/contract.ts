// Routes whose bodies the interface's description does not have yet.

import type { Evidence } from './types'

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
