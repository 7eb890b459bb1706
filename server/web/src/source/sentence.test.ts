import { expect, test } from 'vitest'
import { sentence } from './sentence'

test.each([
  ['It began. In 2019 it chose ', ', after a search. It ended.', 'In 2019 it chose ', ', after a search.'],
  ['标题\n2019年，公司选', '为首席执行官。此后无事。', '2019年，公司选', '为首席执行官。'],
  ['It cost 3.5 million, says ', ' of v1.2 fame\nNext', 'It cost 3.5 million, says ', ' of v1.2 fame'],
  ['', '', '', ''],
  ['No end ', ' and no stop', 'No end ', ' and no stop'],
])('%j and %j', (before, after, lead, rest) => {
  expect(sentence(before, after)).toEqual([lead, rest])
})
