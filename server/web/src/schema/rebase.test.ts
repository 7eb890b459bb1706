import { describe, expect, test } from 'vitest'
import type { Schema, SchemaClass, SchemaRelation } from '../api/schema'
import { blank, find } from './model'
import { rebase } from './rebase'

const ns = 'https://example.org/'
const en = (text: string) => ({ lang: 'en', text })
const cls = (name: string, part: Partial<SchemaClass> = {}) => ({ ...blank('class', ns + name, [en(name)]), ...part }) as SchemaClass
const rel = (name: string, part: Partial<SchemaRelation> = {}) => ({ ...blank('relation', ns + name, [en(name)]), ...part }) as SchemaRelation
const base: Schema = {
  classes: [cls('A'), cls('B'), cls('C', { parents: [`${ns}B`] })],
  relations: [rel('p', { domain: `${ns}A`, questions: [en('one?')] })],
  qualifiers: [],
  kept: ['k1'],
}
const relation = (schema: Schema, name: string) => find(schema, { kind: 'relation', iri: ns + name }) as SchemaRelation | undefined
const iris = (schema: Schema) => schema.classes.map((one) => one.iri.slice(ns.length)).sort().join('')

describe('rebase', () => {
  test('of nothing is theirs', () => {
    const theirs = { ...base, classes: [...base.classes, cls('D')] }
    expect(rebase(base, base, [], theirs)).toEqual({ schema: theirs, renames: [], clashes: [] })
  })

  test('keeps what either added and drops what either removed', () => {
    const mine = { ...base, classes: [cls('A'), cls('B'), cls('X')], relations: base.relations }
    const theirs = { ...base, classes: [cls('A'), cls('C', { parents: [] }), cls('Y')].concat(cls('B')), kept: ['k1', 'k2'] }
    const { schema, clashes } = rebase(base, mine, [], { ...theirs, classes: theirs.classes.filter((one) => one.iri !== `${ns}A`) })
    // A was removed by them and untouched by me; C was removed by me and changed by them.
    expect(iris(schema)).toBe('BXY')
    expect(clashes).toMatchObject([{ iri: `${ns}C`, field: 'removed' }])
    expect(schema.kept).toEqual(['k1', 'k2'])
  })

  test('merges fields of the same relation, and names the one that both changed', () => {
    const mine = { ...base, relations: [rel('p', { domain: `${ns}B`, questions: [en('one?'), en('mine?')], symmetric: true })] }
    const theirs = { ...base, relations: [rel('p', { domain: `${ns}C`, questions: [en('theirs?')], inverse: `${ns}q` })] }
    const { schema, clashes } = rebase(base, mine, [], theirs)
    expect(relation(schema, 'p')).toMatchObject({ domain: `${ns}B`, symmetric: true, inverse: `${ns}q`, questions: [en('theirs?'), en('mine?')] })
    expect(clashes).toEqual([{ kind: 'relation', iri: `${ns}p`, field: 'domain', yours: `${ns}B`, theirs: `${ns}C` }])
  })

  test('carries a rename over what they changed of the renamed', () => {
    const mine = { ...base, relations: [rel('q', { labels: [en('p')], domain: `${ns}A`, questions: [en('one?')] })] }
    const theirs = { ...base, relations: [rel('p', { domain: `${ns}A`, questions: [en('one?'), en('two?')] })] }
    const { schema, renames } = rebase(base, mine, [{ kind: 'relation', from: `${ns}p`, to: `${ns}q` }], theirs)
    expect(relation(schema, 'p')).toBeUndefined()
    expect(relation(schema, 'q')?.questions).toEqual([en('one?'), en('two?')])
    expect(renames).toHaveLength(1)
  })

  test('carries a rename into what is kept, and keeps what they imported', () => {
    const about = (name: string) => `<${ns}${name}> <urn:about> <urn:x> .`
    const [was, theirs] = [{ ...base, kept: [about('p')] }, { ...base, kept: [about('p'), about('A')] }]
    const mine = { ...base, relations: [rel('q', { labels: [en('p')], domain: `${ns}A`, questions: [en('one?')] })], kept: [about('q')] }
    expect(rebase(was, mine, [{ kind: 'relation', from: `${ns}p`, to: `${ns}q` }], theirs).schema.kept).toEqual([about('q'), about('A')])
  })

  test('does not take nodes of two imports for one', () => {
    const node = (name: string, value: string) => [`<${ns}${name}> <urn:p> _:n0 .`, `_:n0 <urn:q> "${value} _:n0" .`]
    const { schema } = rebase(base, { ...base, kept: ['k1', ...node('A', 'mine')] }, [], { ...base, kept: ['k1', ...node('B', 'theirs')] })
    expect(schema.kept).toEqual(['k1', ...node('B', 'theirs'), `<${ns}A> <urn:p> _:n0x .`, '_:n0x <urn:q> "mine _:n0" .'])
  })

  test('a rename of what they removed moves nothing, but the edited item stays and is named', () => {
    const mine = { ...base, relations: [rel('q', { domain: `${ns}B` })] }
    const { schema, renames, clashes } = rebase(base, mine, [{ kind: 'relation', from: `${ns}p`, to: `${ns}q` }], { ...base, relations: [] })
    expect(relation(schema, 'q')).toBeDefined()
    expect(renames).toEqual([])
    expect(clashes).toMatchObject([{ field: 'removed' }])
  })
})
