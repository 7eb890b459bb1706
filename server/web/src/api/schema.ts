import { call, Problem, type CallOptions } from './client'
import type { Fault, Primitive, Rename, Rule, SentChecked, SentClass, SentDraft, SentRelation, SentSchema, Split, Text } from './types'

/** A schema as the editor holds it: nothing is left out. */
export interface Schema {
  classes: SchemaClass[]
  relations: SchemaRelation[]
  qualifiers: SchemaQualifier[]
  /** Triples of an import that the editor does not understand, each a line of N-Triples. They go wherever the schema goes. */
  kept: string[]
}

interface Term {
  iri: string
  labels: Text[]
  aliases: Text[]
}

export interface SchemaClass extends Term {
  parents: string[]
  /** Nothing but what its rules name may be said of its entities. */
  closed: boolean
  rules: Rule[]
}

export type Range = { class: string | null } | { value: Primitive; unit: string | null }

export interface SchemaRelation extends Term {
  domain: string | null
  range: Range
  functional: { per: string[] } | null
  symmetric: boolean
  inverse: string | null
  questions: Text[]
  statements: Text[]
}

export interface SchemaQualifier extends Term {
  value: Primitive
  unit: string | null
  fiscal: boolean
}

export interface Checked {
  turtle: string
  schema: Schema | null
  faults: Fault[]
  /** Of an import what is carried along where a schema of ours would have a fault. */
  notes: Fault[]
}

export interface Draft {
  base: string
  schema: Schema
  renames: Rename[]
  splits: Split[]
  author: string
}

function wholeTerm(one: { iri: string; labels?: Text[]; aliases?: Text[] }): Term {
  return { iri: one.iri, labels: one.labels ?? [], aliases: one.aliases ?? [] }
}

export function wholeClass(one: SentClass): SchemaClass {
  return { ...wholeTerm(one), parents: one.parents ?? [], closed: one.closed ?? false, rules: one.rules ?? [] }
}

export function wholeRelation(one: SentRelation): SchemaRelation {
  return {
    ...wholeTerm(one),
    domain: one.domain ?? null,
    range: 'value' in one.range ? { value: one.range.value, unit: one.range.unit ?? null } : { class: one.range.class ?? null },
    functional: one.functional ? { per: one.functional.per ?? [] } : null,
    symmetric: one.symmetric ?? false,
    inverse: one.inverse ?? null,
    questions: one.questions ?? [],
    statements: one.statements ?? [],
  }
}

export function whole(sent: SentSchema): Schema {
  return {
    classes: sent.classes.map(wholeClass),
    relations: sent.relations.map(wholeRelation),
    qualifiers: sent.qualifiers.map((one) => ({ ...wholeTerm(one), value: one.value, unit: one.unit ?? null, fiscal: one.fiscal ?? false })),
    kept: sent.kept ?? [],
  }
}

export async function getSchema(path: string, options: CallOptions): Promise<{ schema: Schema; etag: string }> {
  const { body, etag } = await call<SentSchema>('GET', path, options)
  // The header quotes the hash; everywhere else it stands bare.
  return { schema: whole(body), etag: (etag ?? '').replace(/^W\/|"/g, '') }
}

export async function checkSchema(sent: { schema: Schema } | { turtle: string }, signal?: AbortSignal): Promise<Checked> {
  const options: CallOptions = 'turtle' in sent ? { turtle: sent.turtle, signal } : { json: sent.schema, signal }
  return checked('/v1/schema/check', options)
}

/** Turtle that others wrote; what is not understood of it is in the schema's `kept`. */
export async function importSchema(turtle: string): Promise<Checked> {
  return checked('/v1/schema/import', { turtle })
}

/** Turtle for others, in which what is kept stands as triples again. */
export async function exportSchema(schema: Schema): Promise<string> {
  return (await call<string>('POST', '/v1/schema/export', { json: schema, accept: 'text/turtle' })).body
}

/** The schema as a shapes graph of SHACL; null where it has faults. */
export async function exportShacl(schema: Schema): Promise<{ shacl: string | null; faults: Fault[] }> {
  const { body } = await call<SentChecked>('POST', '/v1/schema/check', { json: { ...schema, shacl: true } })
  return { shacl: body.shacl ?? null, faults: body.faults }
}

async function checked(path: string, options: CallOptions): Promise<Checked> {
  const { body } = await call<SentChecked>('POST', path, options)
  return { turtle: body.turtle, schema: body.schema ? whole(body.schema) : null, faults: body.faults, notes: body.notes }
}

/** The kept draft; null where there is none. */
export async function draftOf(tenant: string): Promise<Draft | null> {
  try {
    const { body } = await call<SentDraft | ''>('GET', '/v1/schema/draft', { query: { tenant } })
    return body ? wholeDraft(body) : null
  } catch (error) {
    if (error instanceof Problem && error.absent) return null
    throw error
  }
}

function wholeDraft(sent: SentDraft): Draft {
  return { base: sent.base, schema: whole(sent.schema), renames: sent.renames ?? [], splits: sent.splits ?? [], author: sent.author ?? '' }
}
