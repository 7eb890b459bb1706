import { expect, test } from 'vitest'
import type { SchemaClass } from '../api/schema'
import { blank } from './model'
import { ruleFaults } from './ruleFaults'

const ns = 'https://example.org/'
const turtle = `@prefix : <${ns}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .

:Town a rdfs:Class, sh:NodeShape ;
    sh:property [
            sh:path :name ;
            sh:minCount 3 ;
            sh:maxCount 2
        ] .

:Person a rdfs:Class, sh:NodeShape ;
    rdfs:label "person"@en ;
    sh:property [
            sh:path :name ;
            sh:minCount 1
        ], [
            sh:path :name ;
            sh:minLength 3 ;
            sh:maxLength 2
        ], [
            sh:path [ sh:inversePath :home ] ;
            sh:class :Twn
        ], :named .

:named sh:path :age ;
    sh:datatype <urn:x> .
`
const one: SchemaClass = {
  ...(blank('class', `${ns}Person`, []) as SchemaClass),
  rules: [
    { relation: `${ns}home`, inverse: true, class: `${ns}Twn` },
    { relation: `${ns}name`, min_count: 1 },
    { relation: `${ns}name`, min_length: 3, max_length: 2 },
    { relation: `${ns}age`, iri: `${ns}named`, min_inclusive: '"x"' },
  ],
}
const line = (part: string) => turtle.split('\n').findIndex((text) => text.includes(part)) + 1
const found = (at: number, term = '') => ruleFaults(turtle, [{ line: at, term, message: '' }], one).map(({ rule, field }) => [rule, field])

test.each([
  ['sh:minCount 1', 1, 'min_count'],
  ['sh:maxLength', 2, 'max_length'],
  ['sh:class :Twn', 0, 'class'],
  ['sh:datatype <urn:x>', 3, 'datatype'],
])('the line of %s is that of rule %i, %s', (part, rule, field) => {
  expect(found(line(part))).toEqual([[rule, field]])
})

test('the bracket that closes a rule is its last property', () => {
  expect(found(line('sh:maxLength') + 1)).toEqual([[2, 'max_length']])
})

test('a fault without a line is found by its term', () => {
  expect(found(0, '"x"')).toEqual([[3, 'min_inclusive']])
})

test('faults of other classes, and of what is no rule, are none of its rules', () => {
  expect(found(line('sh:maxCount 2'))).toEqual([])
  expect(found(line('rdfs:label "person"'))).toEqual([])
  expect(found(0, '"y"')).toEqual([])
  expect(found(9999)).toEqual([])
})
