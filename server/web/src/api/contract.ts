// What the interface's description does not have yet.

import type { Kind, Named, Text } from './types'

export type NodeKind = 'iri' | 'literal' | 'blank_node' | 'blank_node_or_iri' | 'blank_node_or_literal' | 'iri_or_literal'
export type Severity = 'violation' | 'warning' | 'info'

/** What must hold of the entities of a class: one relation, and what its values must be. What is left out asks nothing. */
export interface Rule {
  relation: string
  inverse?: boolean
  min_count?: number | null
  max_count?: number | null
  class?: string | null
  datatype?: string | null
  node_kind?: NodeKind | null
  pattern?: string | null
  flags?: string | null
  min_length?: number | null
  max_length?: number | null
  // Literals of N-Triples.
  min_inclusive?: string | null
  max_inclusive?: string | null
  min_exclusive?: string | null
  max_exclusive?: string | null
  // Terms of N-Triples.
  one_of?: string[]
  has_value?: string[]
  language_in?: string[]
  unique_lang?: boolean
  severity?: Severity | null
  message?: Text[]
  shape?: string | null
  iri?: string | null
  notes?: { property: string; value: string }[]
}

export interface BrokenRules {
  count: number
  first: { entity: Named; class: string; relation: string; constraint: string; value: string | null; message: string; severity?: Severity }[]
}

/** What goes to the new term; everything else stays. */
export type When =
  | { has_relation: string }
  | { relation: string; value: string }
  | { entities: string[] }
  | { subject_class: string }
  | { object_class: string }
  | { object_kind: ObjectKind }
export type ObjectKind = 'entity' | 'text' | 'number' | 'date' | 'boolean'

/** A class or relation that becomes two. Splits are done in order, after the renames. */
export interface Split {
  kind: Exclude<Kind, 'qualifier'>
  from: string
  to: string
  when: When
}
