import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEarlyFetches } from './early-fetches.ts'
import type { Commit } from './mirror.ts'
import { SourceError } from './source-error.ts'

const commit: Commit = { sha: 'a'.repeat(40), message: 'Change', author: 'Ada' }
const place = { projectId: 1, address: 'git@localhost:one.git', branch: 'main' }

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('a deployment waits for the reported commit, which stays available for a minute', async () => {
  const early = createEarlyFetches()
  const fetched = Promise.withResolvers<Commit>()
  const begun = early.start(place, () => fetched.promise)
  const waiting = early.result(place, commit.sha)
  fetched.resolve(commit)
  await begun
  expect(await waiting).toBe(commit)
  vi.advanceTimersByTime(60_000)
  expect(await early.result(place, commit.sha)).toBe(commit)
  vi.advanceTimersByTime(1)
  expect(await early.result(place, commit.sha)).toBeUndefined()
})

test.each([
  ['another commit', place, 'b'.repeat(40)],
  ['another branch', { ...place, branch: 'other' }, commit.sha],
  ['another repository', { ...place, address: 'git@localhost:two.git' }, commit.sha],
  ['another project', { ...place, projectId: 2 }, commit.sha],
])('%s is not what was fetched', async (_, other, sha) => {
  const early = createEarlyFetches()
  await early.start(place, async () => commit)
  expect(await early.result(other, sha)).toBeUndefined()
})

test('a failure is forgotten, except for a timeout, which is reported once', async () => {
  const early = createEarlyFetches()
  const fail = (error: Error) => early.start(place, () => Promise.reject(error))
  await early.start(place, async () => commit)
  await expect(fail(new SourceError('unreachable', 'Nobody there'))).rejects.toThrow('Nobody there')
  expect(await early.result(place, commit.sha)).toBeUndefined()
  await expect(fail(new SourceError('timed_out', 'Ten minutes'))).rejects.toThrow('Ten minutes')
  await expect(early.result(place, commit.sha)).rejects.toThrow('Ten minutes')
  expect(await early.result(place, commit.sha)).toBeUndefined()
})

test('one fetch per project and four in all; deployments do the others', async () => {
  const early = createEarlyFetches()
  const begun: number[] = []
  const gate = Promise.withResolvers<Commit>()
  const begin = (projectId: number) =>
    early.start({ ...place, projectId }, () => {
      begun.push(projectId)
      return gate.promise
    })
  const all = [1, 1, 2, 3, 4, 5, 1].map(begin)
  expect(begun).toEqual([1, 2, 3, 4])
  // A fetch that was not started is not waited for.
  expect(await early.result({ ...place, projectId: 5 }, commit.sha)).toBeUndefined()
  gate.resolve(commit)
  await Promise.all(all)
  expect(begun).toEqual([1, 2, 3, 4])
})

test('aborting a waiting deployment rejects at once, and running fetches end with the platform', async () => {
  const early = createEarlyFetches()
  const signals: AbortSignal[] = []
  const begun = early.start(place, (signal) => {
    signals.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const stopper = new AbortController()
  const waiting = early.result(place, commit.sha, stopper.signal)
  stopper.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  early.close()
  await expect(begun).rejects.toThrow('aborted')
  await early.start(place, async () => commit)
  expect(signals).toHaveLength(1)
  expect(await early.result(place, commit.sha)).toBeUndefined()
})
