import { expect, test } from 'vitest'
import { sayTerm, termOf, xsd, type ValueKind } from './terms'

const pairs: [string, ValueKind, string][] = [
  ['5', 'number', '5'],
  ['-3.25', 'number', '-3.25'],
  ['2020-01-31', 'date', `"2020-01-31"^^<${xsd}date>`],
  ['1999', 'year', `"1999"^^<${xsd}gYear>`],
  ['true', 'boolean', 'true'],
  ['say "yes"\\no', 'text', '"say \\"yes\\"\\\\no"'],
  ['urn:e:Rome', 'entity', '<urn:e:Rome>'],
  ['"chat"@fr', 'text', '"chat"@fr'],
  ['"5"^^<urn:kg>', 'number', '"5"^^<urn:kg>'],
]

test.each(pairs)('%s as %s is %s, and is said so again', (text, kind, term) => {
  expect(termOf(text, kind)).toBe(term)
  expect(sayTerm(term, kind)).toBe(text)
})

test('what is none of the kind is no term', () => {
  expect(termOf('five', 'number')).toBeNull()
  expect(termOf('31.1.2020', 'date')).toBeNull()
  expect(termOf('Rome', 'entity')).toBeNull()
  expect(termOf('  ', 'text')).toBeNull()
  expect(termOf('<a b>', 'entity')).toBeNull()
})

test('a term of another kind is said as it is written', () => {
  expect(sayTerm('"2020"', 'number')).toBe('"2020"')
  expect(sayTerm('<urn:e:Rome>', 'text')).toBe('<urn:e:Rome>')
  // Bare it would read as a term itself.
  expect(sayTerm('"<urn:e:Rome>"', 'text')).toBe('"<urn:e:Rome>"')
})
