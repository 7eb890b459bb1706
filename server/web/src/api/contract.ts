// What the interface's description does not have yet.

import type { Kind } from './types'

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
