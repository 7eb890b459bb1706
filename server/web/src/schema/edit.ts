import type { Schema } from '../api/schema'
import type { Kind, Rename, Split, When } from '../api/types'
import type { Point } from '../ui/layout'
import { emptySchema, has, type Item, type Ref } from './model'
import * as operations from './operations'
import { liveSplits, redirectSplits } from './splits'

/** What undo goes back to. */
export interface Present {
  schema: Schema
  renames: Rename[]
  splits: Split[]
  /** Where classes were placed by hand. */
  places: Record<string, Point>
}

/** The whole state of the editor. It changes by `edit` alone. */
export interface State {
  /** The published schema that the edits stand on, and its hash. */
  base: string
  published: Schema
  present: Present
  past: Present[]
  future: Present[]
  /** Edits of the same step (letters typed into one field) are undone as one. */
  step: string | null
  selected: Ref | null
}

export type Action =
  | { type: 'open'; base: string; published: Schema; schema?: Schema; renames?: Rename[]; splits?: Split[]; places?: Record<string, Point> }
  | { type: 'select'; ref: Ref | null }
  | { type: 'set'; ref: Ref; part: Partial<Item>; step?: string }
  | { type: 'add'; kind: Kind; item: Item }
  | { type: 'rename'; ref: Ref; to: string }
  | { type: 'merge'; ref: Ref; into: string }
  | { type: 'split'; ref: Ref; item: Item; when: When }
  | { type: 'unsplit'; split: Split }
  | { type: 'remove'; ref: Ref }
  | { type: 'place'; places: Record<string, Point>; step?: string }
  | { type: 'replace'; schema: Schema; step?: string }
  | { type: 'undo' }
  | { type: 'redo' }

const mostSteps = 300

export const initial: State = {
  base: '',
  published: emptySchema,
  present: { schema: emptySchema, renames: [], splits: [], places: {} },
  past: [],
  future: [],
  step: null,
  selected: null,
}

export function edit(state: State, action: Action): State {
  const { present } = state
  const { schema, renames, splits } = present
  switch (action.type) {
    case 'open':
      return {
        ...initial,
        base: action.base,
        published: action.published,
        present: { schema: action.schema ?? action.published, renames: action.renames ?? [], splits: action.splits ?? [], places: action.places ?? present.places },
        selected: kept(action.schema ?? action.published, state.selected),
      }
    case 'select':
      return { ...state, selected: action.ref, step: null }
    case 'set':
      return next(state, { ...present, schema: operations.set(schema, action.ref, action.part) }, action.step)
    case 'add':
      if (has(schema, action.kind, action.item.iri)) return state
      return { ...next(state, { ...present, schema: operations.add(schema, action.kind, action.item) }), selected: { kind: action.kind, iri: action.item.iri } }
    case 'rename': {
      const { ref, to } = action
      if (to === ref.iri || !has(schema, ref.kind, ref.iri) || has(schema, ref.kind, to)) return state
      const places = moved(present.places, ref.iri, to)
      const after = { schema: operations.rename(schema, ref, to), renames: operations.renamed(renames, state.published, ref, to), splits: redirectSplits(splits, ref, to), places }
      return { ...next(state, after), selected: { kind: ref.kind, iri: to } }
    }
    case 'merge': {
      const { ref, into } = action
      const merged = operations.merge(schema, ref, into)
      if (merged === schema) return state
      const after = { ...present, schema: merged, renames: operations.renamed(renames, state.published, ref, into), splits: redirectSplits(splits, ref, into) }
      return { ...next(state, after), selected: { kind: ref.kind, iri: into } }
    }
    case 'split': {
      const { ref, item, when } = action
      if (ref.kind === 'qualifier' || !has(schema, ref.kind, ref.iri) || has(schema, ref.kind, item.iri)) return state
      const split = { kind: ref.kind, from: ref.iri, to: item.iri, when }
      return { ...next(state, { ...present, schema: operations.add(schema, ref.kind, item), splits: [...splits, split] }), selected: { kind: ref.kind, iri: item.iri } }
    }
    case 'unsplit':
      return next(state, { ...present, splits: splits.filter((one) => one !== action.split) })
    case 'remove': {
      const { ref } = action
      if (!has(schema, ref.kind, ref.iri)) return state
      const without = operations.remove(schema, ref)
      const after = { ...present, schema: without, renames: renames.filter((one) => one.kind !== ref.kind || one.to !== ref.iri), splits: liveSplits(splits, without) }
      return { ...next(state, after), selected: null }
    }
    case 'place':
      return next(state, { ...present, places: { ...present.places, ...action.places } }, action.step)
    case 'replace': {
      // A rename or split whose goal is gone moves nothing any more.
      const still = renames.filter((one) => has(action.schema, one.kind, one.to))
      return { ...next(state, { ...present, schema: action.schema, renames: still, splits: liveSplits(splits, action.schema) }, action.step), selected: kept(action.schema, state.selected) }
    }
    case 'undo':
    case 'redo':
      return travel(state, action.type)
  }
}

function next(state: State, present: Present, step?: string): State {
  const same = step !== undefined && step === state.step
  const past = same ? state.past : [...state.past.slice(-(mostSteps - 1)), state.present]
  return { ...state, present, past, future: [], step: step ?? null }
}

function travel(state: State, way: 'undo' | 'redo'): State {
  const [from, to] = way === 'undo' ? [state.past, state.future] : [state.future, state.past]
  const present = from.at(-1)
  if (!present) return state
  const left = from.slice(0, -1)
  const grown = [...to, state.present]
  const stacks = way === 'undo' ? { past: left, future: grown } : { past: grown, future: left }
  return { ...state, ...stacks, present, step: null, selected: kept(present.schema, state.selected) }
}

function kept(schema: Schema, ref: Ref | null): Ref | null {
  return ref && has(schema, ref.kind, ref.iri) ? ref : null
}

function moved(places: Record<string, Point>, from: string, to: string): Record<string, Point> {
  const { [from]: place, ...rest } = places
  return place ? { ...rest, [to]: place } : places
}

/** Whether there is anything to publish. */
export function isEdited(state: State): boolean {
  return state.present.schema !== state.published || state.present.renames.length > 0 || state.present.splits.length > 0
}
