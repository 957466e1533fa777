import { expect, test } from 'vitest'
import { withDeadline } from './deadline.ts'

const never = new Promise<never>(() => undefined)

test('work in time returns its result or its error', async () => {
  const late = (): never => {
    throw new Error('late')
  }
  expect(await withDeadline(Promise.resolve('done'), 1_000_000, late)).toBe('done')
  await expect(withDeadline(Promise.reject(new Error('broken')), 1_000_000, late)).rejects.toThrow('broken')
})

test('after the deadline the caller gets the result of `late`', async () => {
  expect(await withDeadline(never, 1, () => 'late')).toBe('late')
  const tooLate = withDeadline(never, 1, () => {
    throw new Error('too late')
  })
  await expect(tooLate).rejects.toThrow('too late')
})

test('work that fails after the deadline causes no unhandled rejection', async () => {
  const work = Promise.withResolvers<void>()
  expect(await withDeadline(work.promise, 1, () => 'late')).toBe('late')
  work.reject(new Error('broken'))
  await expect(work.promise).rejects.toThrow('broken')
})
