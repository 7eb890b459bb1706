import { expect, test } from 'vitest'
import { byteLength, cut } from './bytes'

const marked = (text: string, from: number, ranges: { start: number; end: number }[]) =>
  cut(text, from, ranges).map((piece) => (piece.covered.length > 0 ? `[${piece.text}]` : piece.text)).join('')

test('bytes are counted as UTF-8 does', () => {
  expect(byteLength('aé苹😀')).toBe(1 + 2 + 3 + 4)
})

test('a range of Chinese text is found by its bytes, not by its characters', () => {
  const text = '苹果公司2023财年研发投入为299.15亿美元。'
  const bytes = new TextEncoder().encode(text)
  const start = new TextEncoder().encode('苹果公司2023财年研发投入为').length
  const end = bytes.length - new TextEncoder().encode('亿美元。').length
  expect(marked(text, 0, [{ start, end }])).toBe('苹果公司2023财年研发投入为[299.15]亿美元。')
})

test('a text that begins in the middle of a document counts on from there', () => {
  expect(marked('bcd', 101, [{ start: 102, end: 103 }])).toBe('b[c]d')
  expect(marked('bcd', 101, [{ start: 0, end: 102 }])).toBe('[b]cd')
  expect(marked('bcd', 101, [{ start: 0, end: 101 }, { start: 104, end: 120 }])).toBe('bcd')
})

test('a range that cuts a character takes the whole of it', () => {
  expect(marked('a😀b', 0, [{ start: 2, end: 3 }])).toBe('a[😀]b')
})

test('ranges may overlap, touch and lie inside one another', () => {
  const pieces = cut('abcdef', 0, [{ start: 0, end: 4 }, { start: 2, end: 6 }, { start: 4, end: 5 }])
  expect(pieces.map((piece) => [piece.text, piece.covered.join()])).toEqual([['ab', '0'], ['cd', '0,1'], ['e', '1,2'], ['f', '1']])
})

test('nothing is lost, whatever the ranges are', () => {
  const text = 'x苹😀\r\ny<b>é</b>'
  for (let start = 0; start < 20; start++) {
    for (let end = 0; end < 24; end += 3) {
      expect(cut(text, 0, [{ start, end }, { start: 3, end: 9 }]).map((piece) => piece.text).join('')).toBe(text)
    }
  }
})
