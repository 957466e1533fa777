// Work that is begun before its step.
import { expect, test } from 'vitest'
import { createFakeHost } from '../../test/fake-host.ts'
import { ahead } from './ahead.ts'

const io = { host: createFakeHost({}, [], new Map()), signal: new AbortController().signal }

/** Work that ends as it is told, one try after the other. */
function told(...ends: readonly (number | Error)[]) {
  let tries = 0
  const work = async (): Promise<number> => {
    const end = ends[tries++] ?? new Error('once too often')
    if (end instanceof Error) throw end
    return end
  }
  return { ...ahead(work), tries: () => tries }
}

test('what was begun is taken, once', async () => {
  const work = told(1, 2)
  work.begin(io)
  expect([await work.take(io), work.tries()]).toEqual([1, 1])
  expect([await work.take(io), work.tries()]).toEqual([2, 2])
})

test('whoever waits for its end waits however it ends, and does not take it', async () => {
  await told().settled()
  const failing = told(new Error('early'), 2)
  failing.begin(io)
  await failing.settled()
  expect(failing.tries()).toBe(1)
  const working = told(1)
  working.begin(io)
  await working.settled()
  expect([await working.take(io), working.tries()]).toEqual([1, 1])
})

test('what was not begun, and what failed, is done by the step, which tells why it cannot be', async () => {
  expect(await told(1).take(io)).toBe(1)
  const second = told(new Error('early'), 2)
  second.begin(io)
  expect(await second.take(io)).toBe(2)
  const never = told(new Error('early'), new Error('late'))
  never.begin(io)
  await expect(never.take(io)).rejects.toThrow('late')
})
