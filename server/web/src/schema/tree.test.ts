import { expect, test } from 'vitest'
import type { Schema, SchemaClass } from '../api/schema'
import { blank, emptySchema } from './model'
import { above, listRows, treeRows } from './tree'

const cls = (name: string, ...parents: string[]) => ({ ...blank('class', `u:${name}`, [{ lang: 'en', text: name }]), parents: parents.map((parent) => `u:${parent}`) }) as SchemaClass
const drawn = (classes: SchemaClass[], open: string[]) => treeRows(classes, new Set(open.map((name) => `u:${name}`)), 'en').map((row) => '.'.repeat(row.level - 1) + row.name)

test('a class with two parents stands below both', () => {
  expect(drawn([cls('a'), cls('b'), cls('c', 'a', 'b')], ['a', 'b'])).toEqual(['a', '.c', 'b', '.c'])
})

test('a cycle is neither followed for ever nor hidden', () => {
  expect(drawn([cls('a', 'b'), cls('b', 'a'), cls('c', 'c')], ['a', 'b', 'c'])).toEqual(['a', '.b', 'c'])
  expect([...above([cls('a', 'b'), cls('b', 'a')], 'u:a')].sort()).toEqual(['u:a', 'u:b'])
})

test('a parent that is not declared hides nothing', () => {
  expect(drawn([cls('a', 'elsewhere')], [])).toEqual(['a'])
})

test('places and numbers of siblings are told', () => {
  expect(treeRows([cls('a'), cls('b')], new Set(), 'en').map((row) => [row.place, row.siblings])).toEqual([[1, 2], [2, 2]])
})

test('search finds labels, aliases and names of all languages, whole words first', () => {
  const schema: Schema = { ...emptySchema, classes: [cls('city hall'), { ...cls('city'), aliases: [{ lang: 'zh', text: '城市' }] }, cls('velocity')] }
  expect(listRows(schema, 'class', 'CITY', 'en').map((row) => row.name)).toEqual(['city', 'city hall', 'velocity'])
  expect(listRows(schema, 'class', '城', 'en').map((row) => row.name)).toEqual(['city'])
})

test('5,000 classes and one search take no time that anyone would feel', () => {
  const classes = Array.from({ length: 5000 }, (_, n) => cls(`k${n}`, ...(n > 0 ? [`k${Math.floor((n - 1) / 4)}`] : [])))
  const begun = performance.now()
  expect(treeRows(classes, new Set(classes.map((one) => one.iri)), 'en')).toHaveLength(5000)
  expect(listRows({ ...emptySchema, classes }, 'class', 'k4999', 'en')).toHaveLength(1)
  expect(performance.now() - begun).toBeLessThan(1000)
})
