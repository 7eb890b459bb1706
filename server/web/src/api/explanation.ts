// The `explanation` of an answer is open in the interface's description; this is what the page reads of it. Every part may be absent.

import type { Named } from './types'

export interface Explanation {
  links?: string[]
  paths?: { path: string; score: number }[]
  layout?: 'blocks' | 'pasted' | null
  cards?: Card[]
  /** What of the attention went to no card's line: the shares of the prefix that all questions have, and of the question. */
  attention_elsewhere?: { prefix: number; question: number } | null
  hidden?: Hidden | null
  readings?: { value: string; probability: number }[]
  view?: PathInView[]
  proposed?: string[]
  sparql?: string
  text?: { asked?: string; passages?: string[]; refusal?: number; spans?: { text: string; score: number }[] }
}

/** A visible card: an entity and its lines, each with the bias added to its attention logits and the share of attention it got. */
export interface Card {
  entity: string
  lines: [text: string, emphasis: number, attention?: number | null][]
}

/** Cards that might have been meant here and that the mask hides: how many, and the first of their entities. */
export interface Hidden {
  total: number
  first: { entity: Named; cards: number }[]
}

export interface PathInView {
  path: string
  proposed: string[]
  fit: number
  account: number | null
  words: number
  likeness: number | null
}
