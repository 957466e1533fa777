import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEarlyFetches } from './early-fetches.ts'
import type { Commit } from './mirror.ts'
import { SourceError } from './source-error.ts'

const commit: Commit = { sha: 'a'.repeat(40), message: 'Change', author: 'Ada' }
const place = { projectId: 1, address: 'git@localhost:one.git', branch: 'main' }

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('whoever was told of a commit waits for it while it is fetched, and has it for a minute', async () => {
  const early = createEarlyFetches()
  const fetched = Promise.withResolvers<Commit>()
  const begun = early.begin(place, () => fetched.promise)
  const waiting = early.take(place, commit.sha)
  fetched.resolve(commit)
  await begun
  expect(await waiting).toBe(commit)
  vi.advanceTimersByTime(60_000)
  expect(await early.take(place, commit.sha)).toBe(commit)
  vi.advanceTimersByTime(1)
  expect(await early.take(place, commit.sha)).toBeUndefined()
})

test.each([
  ['another commit', place, 'b'.repeat(40)],
  ['another branch', { ...place, branch: 'other' }, commit.sha],
  ['another repository', { ...place, address: 'git@localhost:two.git' }, commit.sha],
  ['another project', { ...place, projectId: 2 }, commit.sha],
])('%s is not what was fetched', async (_, other, sha) => {
  const early = createEarlyFetches()
  await early.begin(place, async () => commit)
  expect(await early.take(other, sha)).toBeUndefined()
})

test('what fails leaves nothing behind, but for one that took as long as a fetch may: that is told once', async () => {
  const early = createEarlyFetches()
  const fail = (error: Error) => early.begin(place, () => Promise.reject(error))
  await early.begin(place, async () => commit)
  await expect(fail(new SourceError('unreachable', 'Nobody there'))).rejects.toThrow('Nobody there')
  expect(await early.take(place, commit.sha)).toBeUndefined()
  await expect(fail(new SourceError('timed_out', 'Ten minutes'))).rejects.toThrow('Ten minutes')
  await expect(early.take(place, commit.sha)).rejects.toThrow('Ten minutes')
  expect(await early.take(place, commit.sha)).toBeUndefined()
})

test('one is fetched at a time for a project, and four in all; others are left to their deployments', async () => {
  const early = createEarlyFetches()
  const begun: number[] = []
  const gate = Promise.withResolvers<Commit>()
  const begin = (projectId: number) =>
    early.begin({ ...place, projectId }, () => {
      begun.push(projectId)
      return gate.promise
    })
  const all = [1, 1, 2, 3, 4, 5, 1].map(begin)
  expect(begun).toEqual([1, 2, 3, 4])
  // Nobody waits for one that was not begun.
  expect(await early.take({ ...place, projectId: 5 }, commit.sha)).toBeUndefined()
  gate.resolve(commit)
  await Promise.all(all)
  expect(begun).toEqual([1, 2, 3, 4])
})

test('whoever is stopped while waiting learns it at once, and what is under way ends with the platform', async () => {
  const early = createEarlyFetches()
  const signals: AbortSignal[] = []
  const begun = early.begin(place, (signal) => {
    signals.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const stopper = new AbortController()
  const waiting = early.take(place, commit.sha, stopper.signal)
  stopper.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  early.close()
  await expect(begun).rejects.toThrow('aborted')
  await early.begin(place, async () => commit)
  expect(signals).toHaveLength(1)
  expect(await early.take(place, commit.sha)).toBeUndefined()
})
