// Shapes of routes whose bodies the interface's description leaves open or does not have yet.

import type { Evidence, Fact, Fault, Named, Text } from './types'

export interface DocumentText {
  document: string
  title: string
  media_type: string
  sha256: string
  bytes: number
  from: number
  to: number
  text: string
  page: number | null
}

export interface SparqlCell {
  kind: 'iri' | 'literal' | 'blank' | 'triple'
  value: string
  lang?: string | null
  datatype?: string | null
  name?: string | null
}

export interface SparqlTable {
  columns: string[]
  rows: (SparqlCell | null)[][]
  truncated: boolean
  boolean: boolean | null
}

export type Verdict = 'right' | 'wrong' | 'should_refuse'

export interface Feedback {
  question: string
  lang: string
  verdict: Verdict
  expected: string[]
  note: string
  answer: string
}

export type Primitive = 'text' | 'number' | 'date' | 'year' | 'boolean'

export type Range = { class: string | null } | { value: Primitive; unit: string | null }

export interface SchemaClass {
  iri: string
  labels: Text[]
  aliases: Text[]
  parents: string[]
}

export interface SchemaRelation {
  iri: string
  labels: Text[]
  aliases: Text[]
  domain: string | null
  range: Range
  functional: { per: string[] } | null
  symmetric: boolean
  inverse: string | null
  questions: Text[]
  statements: Text[]
}

export interface SchemaQualifier {
  iri: string
  labels: Text[]
  aliases: Text[]
  value: Primitive
  unit: string | null
  fiscal: boolean
}

export interface Schema {
  classes: SchemaClass[]
  relations: SchemaRelation[]
  qualifiers: SchemaQualifier[]
  /** Statements that the editor does not understand, kept word for word. */
  kept: string[]
}

export type Kind = 'class' | 'relation' | 'qualifier'

export interface Rename {
  kind: Kind
  from: string
  to: string
}

export interface Checked {
  turtle: string
  schema: Schema | null
  faults: Fault[]
}

export interface Draft {
  base: string
  schema: Schema
  renames: Rename[]
  author: string
}

export interface Change {
  kind: 'added' | 'removed' | 'changed' | 'renamed'
  of: Kind
  iri: string
  sentence: string
}

export interface Impact {
  etag: string
  changed: boolean
  changes: Change[]
  unfit: { part: string; facts: { count: number; first: Fact[] } }[]
  migrated: { facts: number; entities: number }
  retyped: { count: number; first: Named[] }
  documents_to_read_again: number
  cards_encoded_again: number
  questions: { question: string; before: string; after: string }[]
  epoch: number
  version?: number
}

export interface Version {
  version: number
  etag: string
  /** Seconds since 1970. */
  at: number | string
  author: string
  reason: string
  changes: Change[]
}

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

export interface StageNumbers {
  stage: string
  count: number
  p50_ms: number
  p95_ms: number
  max_ms: number
  buckets: { le_ms: number | null; count: number }[]
}

export interface Minute {
  /** When it began, in seconds since 1970. */
  at: number
  asked: number
  refused: number
  p50_ms: number | null
  p95_ms: number | null
}

export interface Numbers {
  /** Seconds since 1970. */
  since: number
  answers: { total: number; answered: number; from_text: number; not_in_kb: number; ambiguous: number; failed: number }
  stages: StageNumbers[]
  blocks: { held?: number; bytes?: number; room_bytes?: number; hits?: number; misses?: number; hit_rate?: number | null } | null
  minutes: Minute[]
}
