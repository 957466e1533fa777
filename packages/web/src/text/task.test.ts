import { expect, test } from 'vitest'
import { describeFailure, describeOrigin, taskTitle } from './task.ts'

const commit = { sha: '8f3a2d1c00000000000000000000000000000000', message: 'Round prices\n\nAfter tax.', author: null }

test('the title of a deployment is the subject of its commit', () => {
  expect(taskTitle({ kind: 'deploy', action: null, command: null, branch: 'main', commit })).toBe('Round prices')
})

test.each([
  [{ kind: 'deploy', branch: 'main' }, 'Deployment of main'],
  [{ kind: 'deploy', branch: null }, 'Deployment'],
  [{ kind: 'reset', branch: 'main' }, 'Reset: Deployment of main'],
  [{ kind: 'remove', branch: 'main' }, 'Removal'],
  [{ kind: 'action', branch: null, action: 'dump' }, 'Action dump'],
  [{ kind: 'run', branch: null, command: ['echo', 'two words'] }, "echo 'two words'"],
] as const)('%o is called %s', (task, title) => {
  expect(taskTitle({ action: null, command: null, commit: null, ...task })).toBe(title)
})

test('a failure names its phase and its message, or the step', () => {
  const step = { phase: 'Start', name: 'Wait for api', message: 'api ended with exit code 1', exit_code: 1 }
  expect(describeFailure({ failed_step: step, reason: null })).toBe('Failed in Start: api ended with exit code 1')
  expect(describeFailure({ failed_step: { ...step, message: null }, reason: null })).toBe(
    'Failed in Start: Wait for api',
  )
  expect(describeFailure({ failed_step: null, reason: 'server_unreachable' })).toBe(
    'Failed: the server was unreachable',
  )
})

test('the commit of a task is named with its author', () => {
  const task = {
    kind: 'deploy',
    commit: { ...commit, author: 'Priya Raman' },
    cause: 'push',
    started_by: null,
  } as const
  expect(describeOrigin({ ...task, status: 'succeeded', reason: null })).toBe('8f3a2d1 by Priya Raman · push')
})

test('a canceled task shows the reason instead of the cause', () => {
  const task = { kind: 'deploy', commit, cause: 'push', started_by: { id: 1, name: 'Maren Okafor' } } as const
  expect(describeOrigin({ ...task, status: 'succeeded', reason: null })).toBe('8f3a2d1 · push by Maren Okafor')
  expect(describeOrigin({ ...task, status: 'canceled', reason: 'superseded' })).toBe(
    '8f3a2d1 · superseded by a newer deployment',
  )
})
