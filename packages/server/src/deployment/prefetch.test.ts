// Work that is begun before its step.
import { expect, test } from 'vitest'
import { createFakeHost } from '../../test/fake-host.ts'
import { prefetch } from './prefetch.ts'

const io = { host: createFakeHost({}, [], new Map()), signal: new AbortController().signal }

/** Work with these outcomes, one attempt after the other. */
function workOf(...ends: readonly (number | Error)[]) {
  let tries = 0
  const work = async (): Promise<number> => {
    const end = ends[tries++] ?? new Error('once too often')
    if (end instanceof Error) throw end
    return end
  }
  return { ...prefetch(work), tries: () => tries }
}

test('what was begun is taken, once', async () => {
  const work = workOf(1, 2)
  work.start(io)
  expect([await work.result(io), work.tries()]).toEqual([1, 1])
  expect([await work.result(io), work.tries()]).toEqual([2, 2])
})

test('a caller that waits for its end waits however it ends, and does not take the result', async () => {
  await workOf().finished()
  const failing = workOf(new Error('early'), 2)
  failing.start(io)
  await failing.finished()
  expect(failing.tries()).toBe(1)
  const working = workOf(1)
  working.start(io)
  await working.finished()
  expect([await working.result(io), working.tries()]).toEqual([1, 1])
})

test('what was not begun, and what failed, is done by the step, which says why it cannot be', async () => {
  expect(await workOf(1).result(io)).toBe(1)
  const second = workOf(new Error('early'), 2)
  second.start(io)
  expect(await second.result(io)).toBe(2)
  const never = workOf(new Error('early'), new Error('late'))
  never.start(io)
  await expect(never.result(io)).rejects.toThrow('late')
})
