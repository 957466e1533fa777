// Watching a task on a platform that comes and goes, with a client in memory.
import type { Client, Task } from '@shipway/api'
import { ApiError, NoAnswer } from '@shipway/api/api-error'
import { expect, test } from 'vitest'
import { watchTask } from './watch-task.ts'

const pace = { pollMs: 1, retryMs: 1, giveUpAfterMs: 10_000, lastOutputMs: 1 }
const taskOf = (status: string, finished_at: string | null = null) => ({ id: 7, status, finished_at }) as Task
const done = taskOf('succeeded', '2026-01-01T00:00:00Z')

/** Answers with these in turn, the last one again and again. */
function clientOf(answers: readonly (Task | Error)[], output: readonly string[] = []) {
  let asked = 0
  const client: Pick<Client, 'getTask' | 'followTaskLog'> = {
    getTask: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]
      if (answer instanceof Error || !answer) throw answer
      return answer
    },
    followTaskLog: async function* () {
      for (const text of output) yield { type: 'output', text, offset: 0 }
    },
  }
  return { client }
}

function watcherOf() {
  const seen: unknown[] = []
  return {
    seen,
    watcher: {
      onTask: (task: Task) => seen.push(task.status),
      onOutput: (text: string) => seen.push(text),
      onSilence: (isSilent: boolean) => seen.push(isSilent),
    },
  }
}

const lost = () => new NoAnswer('ship.example.com', new Error('lost'))
const { signal } = new AbortController()

test('waits for a restarting platform, and reports the silence once', async () => {
  const answers = [taskOf('queued'), lost(), new ApiError(502, 'bad gateway'), new ApiError(429, 'slow down'), done]
  const { seen, watcher } = watcherOf()
  expect(await watchTask(clientOf(answers).client, { id: 7, watcher, signal, pace })).toBe(done)
  expect(seen).toEqual(['queued', true, false, 'succeeded'])
})

test('a permanent error ends the watch', async () => {
  const { client } = clientOf([taskOf('running'), new ApiError(404, 'not found')])
  await expect(watchTask(client, { id: 7, watcher: watcherOf().watcher, signal, pace })).rejects.toThrow('not found')
})

test('gives up on a platform that stays away, with advice', async () => {
  const { client } = clientOf([lost()])
  const watching = watchTask(client, {
    id: 7,
    watcher: watcherOf().watcher,
    signal,
    pace: { ...pace, giveUpAfterMs: 20 },
  })
  await expect(watching).rejects.toMatchObject({
    code: 'no_answer',
    advice: ['Watch it again later: shipway tasks log 7 -f'],
  })
})

test('reports what the task prints beside its states', async () => {
  const { promise: isRead, resolve } = Promise.withResolvers<void>()
  const { client } = clientOf([taskOf('running')], ['one', 'two'])
  const { seen, watcher } = watcherOf()
  const stop = new AbortController()
  const onOutput = (text: string) => {
    watcher.onOutput(text)
    if (text === 'two') resolve()
  }
  const watching = watchTask(client, { id: 7, watcher: { ...watcher, onOutput }, signal: stop.signal, pace })
  await isRead
  stop.abort(new Error('enough'))
  await expect(watching).rejects.toThrow('enough')
  expect(seen.filter((each) => each === 'one' || each === 'two')).toEqual(['one', 'two'])
})

test('prints output that arrives after the task has ended', async () => {
  const { promise: isEnded, resolve: endTask } = Promise.withResolvers<void>()
  const client: Pick<Client, 'getTask' | 'followTaskLog'> = {
    getTask: async () => {
      setTimeout(endTask, 5)
      return done
    },
    followTaskLog: async function* ({ signal: aborted }) {
      await isEnded
      aborted?.throwIfAborted()
      yield { type: 'output', text: 'why', offset: 3 }
      yield { type: 'end', status: 'succeeded', reason: null }
    },
  }
  const { seen, watcher } = watcherOf()
  await watchTask(client, { id: 7, watcher, signal, pace: { ...pace, lastOutputMs: 10_000 } })
  expect(seen).toEqual(['succeeded', 'why'])
})
