import { describe, expect, test } from 'vitest'
import { aTask } from '../../../test/docker/swarm-tasks.ts'
import { taskProgress, whyLate } from './task-progress.ts'

const web = { service: 'web', replicas: 2, task: 5 }

test('runs when as many tasks as wanted run, of this version', () => {
  const running = [aTask({ id: 'one' }), aTask({ id: 'two' })]
  expect(taskProgress(web, running)).toMatchObject({ type: 'running' })
  const old = aTask({ id: 'two', task: 4 })
  expect(taskProgress(web, [aTask({ id: 'one' }), old])).toMatchObject({ type: 'starting', running: 1, wanted: 2 })
  const going = aTask({ id: 'two', desired: 'shutdown' })
  expect(taskProgress(web, [aTask({ id: 'one' }), going])).toMatchObject({ type: 'starting', running: 1 })
})

test('a job is done when its task is', () => {
  const job = { ...web, replicas: null }
  expect(taskProgress(job, [aTask({ state: 'running' })])).toMatchObject({ type: 'starting' })
  expect(taskProgress(job, [aTask({ state: 'complete', desired: 'shutdown' })])).toEqual({ type: 'completed' })
})

describe('a failed task says why', () => {
  test.each([
    [{ exitCode: 3, error: 'task: non-zero exit (3)' }, 'web ended with exit code 3 before it was ready'],
    [
      { exitCode: 137, error: 'task: non-zero exit (137): dockerexec: unhealthy container' },
      'web is unhealthy: its own health check says no',
    ],
    [
      { exitCode: 137, error: 'task: non-zero exit (137)' },
      'web was killed (exit code 137), most likely because it ran out of memory. Let it use less, or raise its limit',
    ],
    [
      { exitCode: null, error: 'starting container failed: no such program' },
      'web could not be started: starting container failed: no such program',
    ],
  ])('%j', (end, sentence) => {
    expect(taskProgress(web, [aTask({ state: 'failed', desired: 'shutdown', ...end })])).toMatchObject({
      type: 'failed',
      sentence,
    })
  })
})

test('a node that refuses a task three times fails it, with the reason', () => {
  const error = 'No such image: registry.test/env-7@sha256:1'
  const refused = (id: string) => aTask({ id, state: 'rejected', desired: 'shutdown', error })
  expect(taskProgress(web, [refused('one')])).toMatchObject({ type: 'starting', hint: error })
  expect(taskProgress(web, ['one', 'two', 'three'].map(refused))).toMatchObject({
    type: 'failed',
    sentence: `A node could not pull the image of web: ${error}. Check that every node reaches the registry and trusts its certificate`,
  })
})

test('says at the end of the time that no node is suitable', () => {
  const error = 'no suitable node (insufficient resources on 2 nodes)'
  const pending = aTask({ state: 'pending', nodeId: '', error })
  const progress = taskProgress(web, [aTask({ id: 'one' }), pending])
  if (progress.type !== 'starting') throw new Error(progress.type)
  expect(whyLate('web', progress, 60)).toBe(
    `No node can run web (1 of 2 run): ${error}. Add a node, or let it reserve less`,
  )
})
