import { expect, test } from 'vitest'
import { aTask } from '../../../test/docker/swarm-tasks.ts'
import { serviceHealth } from './service-health.ts'

const web = { replicas: 2, task: 5 }
const now = 1_000_000
const failed = (ago: number) =>
  aTask({ id: 'failed', state: 'failed', desired: 'shutdown', exitCode: 3, changedAt: now - ago })

test.each([
  ['all run', [aTask(), aTask()], { status: 'running', health: null, restarts: 0 }],
  ['one starts', [aTask(), aTask({ state: 'starting' })], { status: 'running', health: 'starting' }],
  [
    'one fails again and again',
    [aTask(), aTask({ state: 'ready' }), failed(1_000)],
    { status: 'running', health: 'unhealthy', restarts: 1, exitCode: 3 },
  ],
  [
    'none runs, and they are tried again',
    [aTask({ state: 'ready', desired: 'ready' }), failed(1_000)],
    { status: 'restarting' },
  ],
  ['none runs, and a node is looked for', [aTask({ state: 'pending' })], { status: 'created' }],
  ['they have ended', [failed(100_000)], { status: 'exited', exitCode: 3 }],
])('%s', (_, tasks, expected) => {
  expect(serviceHealth(web, tasks, now)).toMatchObject(expected)
})
