import { describe, expect, test } from 'vitest'
import type { Rename, Rule, Split } from '../api/types'
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

const rebaseOf = (base: Schema, schema: Schema, renames: Rename[], theirs: Schema, splits: Split[] = []) => rebase(base, { schema, renames, splits }, theirs)

describe('rebase', () => {
  test('of nothing is theirs', () => {
    const theirs = { ...base, classes: [...base.classes, cls('D')] }
    expect(rebaseOf(base, base, [], theirs)).toEqual({ schema: theirs, renames: [], splits: [], clashes: [] })
  })

  test('keeps what either added and drops what either removed', () => {
    const mine = { ...base, classes: [cls('A'), cls('B'), cls('X')], relations: base.relations }
    const theirs = { ...base, classes: [cls('A'), cls('C', { parents: [] }), cls('Y')].concat(cls('B')), kept: ['k1', 'k2'] }
    const { schema, clashes } = rebaseOf(base, mine, [], { ...theirs, classes: theirs.classes.filter((one) => one.iri !== `${ns}A`) })
    // A was removed by them and untouched by me; C was removed by me and changed by them.
    expect(iris(schema)).toBe('BXY')
    expect(clashes).toMatchObject([{ iri: `${ns}C`, field: 'removed' }])
    expect(schema.kept).toEqual(['k1', 'k2'])
  })

  test('merges fields of the same relation, and names the one that both changed', () => {
    const mine = { ...base, relations: [rel('p', { domain: `${ns}B`, questions: [en('one?'), en('mine?')], symmetric: true })] }
    const theirs = { ...base, relations: [rel('p', { domain: `${ns}C`, questions: [en('theirs?')], inverse: `${ns}q` })] }
    const { schema, clashes } = rebaseOf(base, mine, [], theirs)
    expect(relation(schema, 'p')).toMatchObject({ domain: `${ns}B`, symmetric: true, inverse: `${ns}q`, questions: [en('theirs?'), en('mine?')] })
    expect(clashes).toEqual([{ kind: 'relation', iri: `${ns}p`, field: 'domain', yours: `${ns}B`, theirs: `${ns}C` }])
  })

  test('carries a rename over what they changed of the renamed', () => {
    const mine = { ...base, relations: [rel('q', { labels: [en('p')], domain: `${ns}A`, questions: [en('one?')] })] }
    const theirs = { ...base, relations: [rel('p', { domain: `${ns}A`, questions: [en('one?'), en('two?')] })] }
    const { schema, renames } = rebaseOf(base, mine, [{ kind: 'relation', from: `${ns}p`, to: `${ns}q` }], theirs)
    expect(relation(schema, 'p')).toBeUndefined()
    expect(relation(schema, 'q')?.questions).toEqual([en('one?'), en('two?')])
    expect(renames).toHaveLength(1)
  })

  test('carries a rename into what is kept, and keeps what they imported', () => {
    const about = (name: string) => `<${ns}${name}> <urn:about> <urn:x> .`
    const [was, theirs] = [{ ...base, kept: [about('p')] }, { ...base, kept: [about('p'), about('A')] }]
    const mine = { ...base, relations: [rel('q', { labels: [en('p')], domain: `${ns}A`, questions: [en('one?')] })], kept: [about('q')] }
    expect(rebaseOf(was, mine, [{ kind: 'relation', from: `${ns}p`, to: `${ns}q` }], theirs).schema.kept).toEqual([about('q'), about('A')])
  })

  test('does not take nodes of two imports for one', () => {
    const node = (name: string, value: string) => [`<${ns}${name}> <urn:p> _:n0 .`, `_:n0 <urn:q> "${value} _:n0" .`]
    const { schema } = rebaseOf(base, { ...base, kept: ['k1', ...node('A', 'mine')] }, [], { ...base, kept: ['k1', ...node('B', 'theirs')] })
    expect(schema.kept).toEqual(['k1', ...node('B', 'theirs'), `<${ns}A> <urn:p> _:n0x .`, '_:n0x <urn:q> "mine _:n0" .'])
  })

  test('a rename of what they removed moves nothing, but the edited item stays and is named', () => {
    const mine = { ...base, relations: [rel('q', { domain: `${ns}B` })] }
    const { schema, renames, clashes } = rebaseOf(base, mine, [{ kind: 'relation', from: `${ns}p`, to: `${ns}q` }], { ...base, relations: [] })
    expect(relation(schema, 'q')).toBeDefined()
    expect(renames).toEqual([])
    expect(clashes).toMatchObject([{ field: 'removed' }])
  })
})

describe('rules', () => {
  const p = `${ns}p`
  const q = `${ns}q`
  const ruled = (...rules: Rule[]): Schema => ({ ...base, classes: [cls('A', { rules }), cls('B')], relations: [rel('p'), rel('q')] })
  const rulesOf = (schema: Schema) => (find(schema, { kind: 'class', iri: `${ns}A` }) as SchemaClass).rules
  const was = ruled({ relation: p, min_count: 1 }, { relation: q, max_count: 1 })

  test('are merged one by one, and field by field', () => {
    const mine = ruled({ relation: p, min_count: 1, max_count: 3 }, { relation: q, max_count: 1 }, { relation: q, pattern: 'x' })
    const theirs = ruled({ relation: q, max_count: 2 }, { relation: p, min_count: 2 })
    const { schema, clashes } = rebaseOf(was, mine, [], theirs)
    expect(rulesOf(schema)).toEqual([{ relation: p, min_count: 2, max_count: 3 }, { relation: q, max_count: 2 }, { relation: q, pattern: 'x' }])
    expect(clashes).toEqual([])
  })

  test('that both changed are told of, and mine stands', () => {
    const { schema, clashes } = rebaseOf(was, ruled({ relation: p }, { relation: q, max_count: 5 }), [], ruled({ relation: p, min_count: 2 }, { relation: q, max_count: 2 }))
    expect(rulesOf(schema)).toEqual([{ relation: p }, { relation: q, max_count: 5 }])
    expect(clashes).toEqual([
      { kind: 'class', iri: `${ns}A`, field: 'rules p min_count', yours: undefined, theirs: 2 },
      { kind: 'class', iri: `${ns}A`, field: 'rules q max_count', yours: 5, theirs: 2 },
    ])
  })

  test('that one removed and the other changed are told of', () => {
    const { schema, clashes } = rebaseOf(was, ruled({ relation: q, max_count: 3 }), [], ruled({ relation: p, min_count: 2 }))
    expect(rulesOf(schema)).toEqual([{ relation: q, max_count: 3 }])
    expect(clashes.map(({ field }) => field)).toEqual(['rules p removed', 'rules q removed'])
  })

  test('are compared under the new names', () => {
    const mine = { ...ruled({ relation: `${ns}r`, min_count: 1 }, { relation: q, max_count: 1 }), relations: [rel('r'), rel('q')] }
    const { schema, clashes } = rebaseOf(was, mine, [{ kind: 'relation', from: p, to: `${ns}r` }], ruled({ relation: p, min_count: 1, max_count: 9 }, { relation: q, max_count: 1 }))
    expect(rulesOf(schema)).toEqual([{ relation: `${ns}r`, min_count: 1, max_count: 9 }, { relation: q, max_count: 1 }])
    expect(clashes).toEqual([])
  })
})

describe('splits', () => {
  const split: Split = { kind: 'class', from: `${ns}A`, to: `${ns}A1`, when: { has_relation: `${ns}p` } }
  const again: Split = { kind: 'class', from: `${ns}A1`, to: `${ns}A2`, when: { has_relation: `${ns}p` } }
  const mine = { ...base, classes: [...base.classes, cls('A1'), cls('A2')] }

  test('are kept, with those that split what they made', () => {
    const { splits, clashes } = rebaseOf(base, mine, [], { ...base, classes: [...base.classes, cls('D')] }, [split, again])
    expect([splits, clashes]).toEqual([[split, again], []])
  })

  test('of a term that others removed are told of', () => {
    const { splits, clashes } = rebaseOf(base, mine, [], { ...base, classes: base.classes.slice(1) }, [split])
    expect(splits).toEqual([])
    expect(clashes).toEqual([{ kind: 'class', iri: `${ns}A`, field: 'split', yours: `${ns}A1`, theirs: null }])
  })
})
