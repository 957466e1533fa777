import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { countsOf, type RequestCounts } from './probe.ts'
import { hasMoreErrors, watch } from './watch.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

type Answers = { readonly version?: string | undefined; readonly counts: RequestCounts | undefined }

/** What the watch finds of a platform that answers so. */
async function watched(answers: (second: number) => Answers): Promise<string | undefined> {
  const began = performance.now()
  const now = (): Answers => answers((performance.now() - began) / 1000)
  const fault = watch(
    { config: readConfig({ SHIPWAY_UPGRADE_WATCH_SECONDS: '20' }), say: () => undefined },
    {
      before: { requests: 100, errors: 0 },
      probe: {
        readyVersion: async () => now().version,
        becomesReady: async () => true,
        countRequests: async () => now().counts,
      },
      version: 'v1.16.0',
      signal: new AbortController().signal,
    },
  )
  await vi.advanceTimersByTimeAsync(30_000)
  return fault
}

const counts = { requests: 50, errors: 0 }
const serving: Answers = { version: 'v1.16.0', counts }

test('a version stays that is ready, and that misses an answer once or twice', async () => {
  expect(await watched(() => serving)).toBeUndefined()
  expect(await watched((second) => (second > 5 && second < 9 ? { counts: undefined } : serving))).toBeUndefined()
})

test.each([
  ['is not ready', { counts }, 'it stopped being ready'],
  ['is another version', { version: 'v1.15.0', counts }, 'it stopped being ready'],
  ['has no metrics, so that its errors cannot be counted', { ...serving, counts: undefined }, 'metrics cannot be read'],
  ['answers with errors', { ...serving, counts: { requests: 60, errors: 9 } }, '9 of its 60 answers were errors'],
])('a version does not stay that %s', async (_, answers, sentence) => {
  expect(await watched((second) => (second < 5 ? serving : answers))).toContain(sentence)
})

test('answers and errors are counted from the metrics', () => {
  const metrics = [
    '# TYPE shipway_requests_total counter',
    'shipway_requests_total{method="GET",route="/api/me",status="200"} 90',
    'shipway_requests_total{method="GET",route="/api/me",status="500"} 7',
    'shipway_requests_total{method="POST",route="/api/projects",status="503"} 3',
    'shipway_tasks{status="queued"} 5',
  ].join('\n')
  expect(countsOf(metrics)).toEqual({ requests: 100, errors: 10 })
})

test.each([
  [{ requests: 1000, errors: 0 }, { requests: 100, errors: 10 }, true],
  [undefined, { requests: 100, errors: 10 }, true],
  [undefined, { requests: 4, errors: 4 }, false],
  [{ requests: 1000, errors: 60 }, { requests: 100, errors: 10 }, false],
  [{ requests: 1000, errors: 0 }, { requests: 10_000, errors: 20 }, false],
])('before %j, now %j: %s', (before, now, isWorse) => {
  expect(hasMoreErrors(before, now)).toBe(isWorse)
})
