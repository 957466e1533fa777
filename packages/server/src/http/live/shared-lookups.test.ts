// Who shares a lookup, and who needs one that begins later.
import { expect, test } from 'vitest'
import { limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import { createSharedLookups } from './shared-lookups.ts'

const limit = limitConcurrency({ concurrency: 1, maxQueued: Number.POSITIVE_INFINITY })

test('all who wait for the same lookup share one', async () => {
  const share = createSharedLookups<number>()
  const lookups: string[] = []
  const ask = (key: string) => share(key, async () => lookups.push(key), limit)
  expect(await Promise.all(Array.from({ length: 990 }, (_, index) => ask(index % 2 ? 'a' : 'b')))).toHaveLength(990)
  expect(lookups).toEqual(['b', 'a'])
})

test('who asks after a lookup has begun gets the next one, since only that sees what changed meanwhile', async () => {
  const share = createSharedLookups<number>()
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<number>()
  const first = share(
    'a',
    () => {
      begun.resolve()
      return answer.promise
    },
    limit,
  )
  await begun.promise
  const later = [1, 2, 3].map(() => share('a', async () => 2, limit))
  answer.resolve(1)
  expect([await first, ...(await Promise.all(later))]).toEqual([1, 2, 2, 2])
})

test('one that fails fails for those who shared it, and not for the next', async () => {
  const share = createSharedLookups<number>()
  const fail = () => share('a', () => Promise.reject(new Error('The database is away')), limit)
  await expect(Promise.all([fail(), fail()])).rejects.toThrow('The database is away')
  expect(await share('a', async () => 1, limit)).toBe(1)
})
