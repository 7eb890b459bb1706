// The `explanation` of an answer is open in the interface's description; this is what the page reads of it. Every part may be absent.

export interface Explanation {
  links?: string[]
  paths?: { path: string; score: number }[]
  layout?: 'blocks' | 'pasted' | null
  cards?: Card[]
  readings?: { value: string; probability: number }[]
  view?: PathInView[]
  proposed?: string[]
  sparql?: string
  text?: { asked?: string; passages?: string[]; refusal?: number; spans?: { text: string; score: number }[] }
}

/** A visible card: an entity and its lines, each with the bias added to its attention logits. */
export interface Card {
  entity: string
  lines: [text: string, emphasis: number][]
}

export interface PathInView {
  path: string
  proposed: string[]
  fit: number
  account: number | null
  words: number
  likeness: number | null
}
