import { expect, test } from 'vitest'
import { filled } from './minutes'
import { nice } from './plots'

const minute = (at: number) => ({ at, asked: 1, refused: 0, p50_ms: 1, p95_ms: 2 })

test('minutes without a question are put in, of an hour at most', () => {
  expect(filled([minute(600), minute(780)]).map((one) => [one.at, one.asked])).toEqual([[600, 1], [660, 0], [720, 0], [780, 1]])
  expect(filled([minute(0), minute(36_000)])).toHaveLength(60)
  expect(filled([])).toEqual([{ at: 0, asked: 0, refused: 0, p50_ms: null, p95_ms: null }])
})

test('axes end at round numbers', () => {
  expect([1, 3, 7, 12, 480, 501].map(nice)).toEqual([1, 5, 10, 20, 500, 1000])
})
