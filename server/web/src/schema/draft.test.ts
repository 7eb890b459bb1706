import { expect, test } from 'vitest'
import type { Draft } from '../api/schema'
import { DraftKeeper, type Wanted } from './draft'
import { emptySchema } from './model'

const draft = (author: string): Draft => ({ base: 'b', schema: { ...emptySchema }, renames: [], splits: [], author })

/** A service that answers when it is told to. */
function service() {
  const log: string[] = []
  const waiting: (() => void)[] = []
  let stored: Wanted = null
  const keeper = new DraftKeeper(async (wanted) => {
    log.push(wanted ? `put ${wanted.author}` : 'delete')
    await new Promise<void>((go) => waiting.push(go))
    stored = wanted
  })
  const answer = async () => {
    await settled()
    waiting.shift()?.()
    await settled()
  }
  return { keeper, log, answer, stored: () => stored }
}

const settled = () => new Promise((go) => setTimeout(go, 0))

test('writes go one after the other, and of those that wait the newest', async () => {
  const { keeper, log, answer, stored } = service()
  const [one, two, three] = [draft('1'), draft('2'), draft('3')]
  void keeper.keep(one)
  await settled()
  void keeper.keep(two)
  void keeper.keep(three)
  await settled()
  expect(log).toEqual(['put 1'])
  expect(keeper.holds(one)).toBe(false)
  await answer()
  await answer()
  expect(log).toEqual(['put 1', 'put 3'])
  expect(stored()).toBe(three)
  expect(keeper.holds(three)).toBe(true)
  await keeper.keep(three)
  expect(log).toHaveLength(2)
})

test('what is discarded does not come back: not by the write in flight, one that waits, or one that is begun meanwhile', async () => {
  const { keeper, log, answer, stored } = service()
  void keeper.keep(draft('flying'))
  await settled()
  void keeper.keep(draft('waiting'))
  void keeper.alone(() => keeper.write(null))
  await answer()
  expect(log).toEqual(['put flying', 'delete'])
  void keeper.keep(draft('meanwhile'))
  await answer()
  await answer()
  expect(log).toEqual(['put flying', 'delete'])
  expect(stored()).toBeNull()
  void keeper.keep(draft('after'))
  await answer()
  expect(log.at(-1)).toBe('put after')
})

test('work in its turn drops nothing, and a failure stops nobody', async () => {
  const { keeper, log, answer } = service()
  void keeper.keep(draft('1'))
  const failed = keeper.turn(() => Promise.reject(new Error('no')))
  const after = keeper.turn(() => Promise.resolve('after'))
  await answer()
  await expect(failed).rejects.toThrow('no')
  await expect(after).resolves.toBe('after')
  expect(log).toEqual(['put 1'])
})

test('after a write that failed nothing is taken to be known', async () => {
  let fails = true
  const sent: Wanted[] = []
  const keeper = new DraftKeeper((wanted) => {
    sent.push(wanted)
    return fails ? Promise.reject(new Error('cut')) : Promise.resolve()
  })
  keeper.found(null)
  await expect(keeper.keep(draft('1'))).rejects.toThrow('cut')
  fails = false
  await keeper.keep(null)
  expect(sent.at(-1)).toBeNull()
})
