import { describe, expect, test } from 'vitest'
import type { Schema, SchemaClass, SchemaRelation } from '../api/schema'
import { edit, initial, isEdited, type Action, type State } from './edit'
import { blank, find, mint, type Ref } from './model'

const ns = 'https://example.org/'
const cls = (name: string, ...parents: string[]) => ({ ...blank('class', ns + name, [{ lang: 'en', text: name }]), parents: parents.map((parent) => ns + parent) }) as SchemaClass
const rel = (name: string, part: Partial<SchemaRelation> = {}) => ({ ...blank('relation', ns + name, [{ lang: 'en', text: name }]), ...part }) as SchemaRelation

const published: Schema = {
  classes: [cls('Thing'), cls('Organisation', 'Thing'), cls('Company', 'Organisation'), cls('Person', 'Thing')],
  relations: [
    rel('founder', { domain: `${ns}Company`, range: { class: `${ns}Person` }, inverse: `${ns}founded` }),
    rel('founded', { domain: `${ns}Person`, range: { class: `${ns}Company` }, inverse: `${ns}founder` }),
    rel('revenue', { range: { value: 'number', unit: 'USD' }, functional: { per: [`${ns}year`] }, questions: [{ lang: 'en', text: 'Revenue of {s}[ in {year}]?' }] }),
  ],
  qualifiers: [{ iri: `${ns}year`, labels: [], aliases: [], value: 'year', unit: null, fiscal: false }],
  kept: ['<urn:a> <urn:b> <urn:c> .'],
}

const opened = edit(initial, { type: 'open', base: '"1"', published })
const run = (...actions: Action[]): State => actions.reduce(edit, opened)
const c = (name: string): Ref => ({ kind: 'class', iri: ns + name })
const r = (name: string): Ref => ({ kind: 'relation', iri: ns + name })
const relation = (state: State, name: string) => find(state.present.schema, r(name)) as SchemaRelation
const classOf = (state: State, name: string) => find(state.present.schema, c(name)) as SchemaClass

describe('rename', () => {
  test('takes every reference along and is noted once', () => {
    const state = run({ type: 'rename', ref: c('Company'), to: `${ns}Firm` }, { type: 'rename', ref: c('Firm'), to: `${ns}Enterprise` })
    expect(state.present.renames).toEqual([{ kind: 'class', from: `${ns}Company`, to: `${ns}Enterprise` }])
    expect(relation(state, 'founder').domain).toBe(`${ns}Enterprise`)
    expect(relation(state, 'founded').range).toEqual({ class: `${ns}Enterprise` })
    expect(state.selected).toEqual(c('Enterprise'))
  })

  test('there and back again is no rename', () => {
    const state = run({ type: 'rename', ref: c('Company'), to: `${ns}Firm` }, { type: 'rename', ref: c('Firm'), to: `${ns}Company` })
    expect(state.present.renames).toEqual([])
    expect(state.present.schema).toEqual(published)
  })

  test('of what was never published moves no facts', () => {
    const state = run({ type: 'add', kind: 'class', item: cls('New') }, { type: 'rename', ref: c('New'), to: `${ns}Newer` })
    expect(state.present.renames).toEqual([])
  })

  test('onto a name that is taken does nothing', () => {
    expect(run({ type: 'rename', ref: c('Company'), to: `${ns}Person` }).present.schema).toBe(published)
  })

  test('of a qualifier changes the wordings that name it', () => {
    const state = run({ type: 'rename', ref: { kind: 'qualifier', iri: `${ns}year` }, to: `${ns}fiscalYear` })
    expect(relation(state, 'revenue').questions[0]?.text).toBe('Revenue of {s}[ in {fiscalYear}]?')
    expect(relation(state, 'revenue').functional).toEqual({ per: [`${ns}fiscalYear`] })
  })
})

describe('merge', () => {
  test('keeps names as aliases, moves references, and is noted as a rename', () => {
    const state = run({ type: 'merge', ref: c('Company'), into: `${ns}Organisation` })
    expect(classOf(state, 'Company')).toBeUndefined()
    expect(classOf(state, 'Organisation').aliases).toEqual([{ lang: 'en', text: 'Company' }])
    expect(classOf(state, 'Organisation').parents).toEqual([`${ns}Thing`])
    expect(relation(state, 'founder').domain).toBe(`${ns}Organisation`)
    expect(state.present.renames).toEqual([{ kind: 'class', from: `${ns}Company`, to: `${ns}Organisation` }])
  })

  test('after a rename leads from the published name to the last one', () => {
    const state = run({ type: 'rename', ref: r('founded'), to: `${ns}started` }, { type: 'merge', ref: r('started'), into: `${ns}founder` })
    expect(state.present.renames).toEqual([{ kind: 'relation', from: `${ns}founded`, to: `${ns}founder` }])
  })
})

test('what stood below a removed class stands below its parent', () => {
  const state = run({ type: 'remove', ref: c('Organisation') })
  expect(classOf(state, 'Company').parents).toEqual([`${ns}Thing`])
})

test('what referred to a removed item refers to nothing, and its rename is forgotten', () => {
  const state = run({ type: 'rename', ref: c('Company'), to: `${ns}Firm` }, { type: 'remove', ref: c('Firm') })
  expect(relation(state, 'founder').domain).toBeNull()
  expect(state.present.renames).toEqual([])
})

describe('undo', () => {
  test('goes back step by step and forth again, to the very same states', () => {
    const actions: Action[] = [
      { type: 'rename', ref: c('Company'), to: `${ns}Firm` },
      { type: 'place', places: { [`${ns}Firm`]: { x: 1, y: 2 } } },
      { type: 'remove', ref: c('Person') },
      { type: 'add', kind: 'relation', item: rel('likes') },
      { type: 'merge', ref: r('likes'), into: `${ns}founder` },
      { type: 'replace', schema: published },
    ]
    const states = actions.reduce((all, action) => [...all, edit(all.at(-1) as State, action)], [opened])
    let state = states.at(-1) as State
    for (const before of states.slice(0, -1).reverse()) {
      state = edit(state, { type: 'undo' })
      expect(state.present).toBe(before.present)
    }
    expect(edit(state, { type: 'undo' })).toBe(state)
    for (const after of states.slice(1)) {
      state = edit(state, { type: 'redo' })
      expect(state.present).toBe(after.present)
    }
  })

  test('takes the letters typed into one field as one step', () => {
    const type = (text: string, step: string): Action => ({ type: 'set', ref: c('Company'), part: { labels: [{ lang: 'en', text }] }, step })
    const state = run(type('c', 'label'), type('co', 'label'), type('co', 'other'))
    expect(state.past).toHaveLength(2)
    expect(edit(edit(state, { type: 'undo' }), { type: 'undo' }).present.schema).toBe(published)
  })

  test('of something is nothing edited', () => {
    const state = run({ type: 'remove', ref: c('Person') })
    expect(isEdited(state)).toBe(true)
    expect(isEdited(edit(state, { type: 'undo' }))).toBe(false)
  })

  test('a new edit ends what could be done again', () => {
    const state = run({ type: 'remove', ref: c('Person') }, { type: 'undo' }, { type: 'remove', ref: c('Company') })
    expect(edit(state, { type: 'redo' })).toBe(state)
  })
})

describe('what the editor does not understand', () => {
  const [line] = published.kept
  const restriction = `<${ns}Company> <urn:about> "<${ns}Company> in words" .`
  const imported: Schema = { ...published, kept: [...published.kept, restriction] }

  test.each<Action>([
    { type: 'select', ref: c('Person') },
    { type: 'set', ref: c('Person'), part: { aliases: [{ lang: 'en', text: 'human' }] } },
    { type: 'add', kind: 'class', item: cls('New') },
    { type: 'rename', ref: c('Person'), to: `${ns}Human` },
    { type: 'rename', ref: { kind: 'qualifier', iri: `${ns}year` }, to: `${ns}period` },
    { type: 'merge', ref: r('founded'), into: `${ns}founder` },
    { type: 'remove', ref: c('Person') },
    { type: 'remove', ref: c('Company') },
    { type: 'place', places: { [`${ns}Person`]: { x: 1, y: 2 } } },
  ])('is not lost by $type', (action) => {
    const before = edit(initial, { type: 'open', base: '"1"', published: imported })
    const after = edit(before, action)
    expect(after.present.schema.kept).toEqual(imported.kept)
    expect(edit(edit(after, { type: 'undo' }), { type: 'redo' }).present.schema.kept).toEqual(imported.kept)
  })

  test.each<Action>([
    { type: 'rename', ref: c('Company'), to: `${ns}Firm` },
    { type: 'merge', ref: c('Company'), into: `${ns}Firm` },
  ])('follows a term to its new name by $type', (action) => {
    const given = { ...imported, classes: action.type === 'merge' ? [...imported.classes, cls('Firm')] : imported.classes }
    const state = edit(edit(initial, { type: 'open', base: '"1"', published: given }), action)
    expect(state.present.schema.kept).toEqual([line, `<${ns}Firm> <urn:about> "<${ns}Company> in words" .`])
  })

  test('comes with what is imported', () => {
    expect(run({ type: 'replace', schema: imported }).present.schema.kept).toBe(imported.kept)
  })
})

test('minted names follow the custom of the kind and are free', () => {
  expect(mint(published, 'class', 'state or province')).toBe(`${ns}StateOrProvince`)
  expect(mint(published, 'relation', 'Net income')).toBe(`${ns}netIncome`)
  expect(mint(published, 'class', 'person')).toBe(`${ns}Person2`)
  expect(mint(published, 'class', '<script>alert(1)</script>')).toBe(`${ns}ScriptAlert1Script`)
  expect(mint(published, 'class', '省份')).toBe(`${ns}省份`)
})

describe('rules', () => {
  const withRules = (...rules: SchemaClass['rules']) => run({ type: 'set', ref: c('Company'), part: { rules } })
  const rulesOf = (state: State, name = 'Company') => classOf(state, name).rules
  const go = (state: State, ...actions: Action[]) => actions.reduce(edit, state)

  test('follow renamed relations, classes and values', () => {
    const state = go(
      withRules({ relation: `${ns}founder`, class: `${ns}Person`, one_of: [`<${ns}Person>`, '"Person"'] }),
      { type: 'rename', ref: r('founder'), to: `${ns}foundedBy` },
      { type: 'rename', ref: c('Person'), to: `${ns}Human` },
    )
    expect(rulesOf(state)).toEqual([{ relation: `${ns}foundedBy`, class: `${ns}Human`, one_of: [`<${ns}Human>`, '"Person"'] }])
  })

  test('about a removed relation go with it, and come back with it', () => {
    const state = go(withRules({ relation: `${ns}founder`, min_count: 1 }, { relation: `${ns}revenue`, class: `${ns}Person` }), { type: 'remove', ref: r('founder') })
    expect(rulesOf(state)).toEqual([{ relation: `${ns}revenue`, class: `${ns}Person` }])
    expect(rulesOf(go(state, { type: 'undo' }))).toHaveLength(2)
  })

  test('ask for no class that is gone', () => {
    const state = go(withRules({ relation: `${ns}founder`, class: `${ns}Person`, min_count: 1 }), { type: 'remove', ref: c('Person') })
    expect(rulesOf(state)).toEqual([{ relation: `${ns}founder`, min_count: 1 }])
  })

  test('of merged classes are all kept, each once', () => {
    const one = { relation: `${ns}founder`, min_count: 1 }
    const state = go(
      withRules(one),
      { type: 'set', ref: c('Organisation'), part: { rules: [one, { relation: `${ns}revenue`, max_count: 1 }] } },
      { type: 'merge', ref: c('Company'), into: `${ns}Organisation` },
    )
    expect(rulesOf(state, 'Organisation')).toEqual([one, { relation: `${ns}revenue`, max_count: 1 }])
  })

  test('that a merge of relations makes the same are one', () => {
    const state = go(withRules({ relation: `${ns}founder`, min_count: 1 }, { min_count: 1, relation: `${ns}founded` }), { type: 'merge', ref: r('founded'), into: `${ns}founder` })
    expect(rulesOf(state)).toEqual([{ relation: `${ns}founder`, min_count: 1 }])
  })
})

describe('split', () => {
  const when = { has_relation: `${ns}founder` }
  const begun: Action = { type: 'split', ref: c('Company'), item: cls('Startup'), when }
  const split = { kind: 'class', from: `${ns}Company`, to: `${ns}Startup`, when }

  test('makes a term and is undone as one', () => {
    const state = run(begun)
    expect(classOf(state, 'Startup').labels[0]?.text).toBe('Startup')
    expect(state.present.splits).toEqual([split])
    expect(isEdited(state)).toBe(true)
    expect(edit(state, { type: 'undo' }).present).toBe(opened.present)
  })

  test('speaks of terms by the names of now', () => {
    const state = run(begun, { type: 'rename', ref: c('Company'), to: `${ns}Firm` }, { type: 'rename', ref: r('founder'), to: `${ns}foundedBy` }, { type: 'rename', ref: c('Startup'), to: `${ns}Young` })
    expect(state.present.splits).toEqual([{ kind: 'class', from: `${ns}Firm`, to: `${ns}Young`, when: { has_relation: `${ns}foundedBy` } }])
  })

  test('goes with the term that it leads to, however that goes', () => {
    expect(run(begun, { type: 'remove', ref: c('Startup') }).present.splits).toEqual([])
    expect(run(begun, { type: 'merge', ref: c('Startup'), into: `${ns}Company` }).present.splits).toEqual([])
    expect(run(begun, { type: 'replace', schema: published }).present.splits).toEqual([])
  })

  test('stays where its first term goes, and follows it into another', () => {
    expect(run(begun, { type: 'remove', ref: c('Company') }).present.splits).toEqual([split])
    expect(run(begun, { type: 'merge', ref: c('Company'), into: `${ns}Organisation` }).present.splits).toEqual([{ ...split, from: `${ns}Organisation` }])
  })

  test('can be taken back alone', () => {
    const state = run(begun, { type: 'set', ref: c('Startup'), part: { labels: [] } })
    const after = edit(state, { type: 'unsplit', split: state.present.splits[0]! })
    expect(after.present.splits).toEqual([])
    expect(classOf(after, 'Startup')).toBeDefined()
  })

  test('onto a name that is taken does nothing', () => {
    expect(run({ ...begun, item: cls('Person') })).toBe(opened)
  })
})

