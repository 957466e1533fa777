// The rules about orphans, as a table.
import { expect, test } from 'vitest'
import { failedReplacements, orphanedContainers } from './orphaned-containers.ts'

const container = (id: string, task: number, changes: object = {}) => ({
  id,
  service: 'web',
  task,
  status: 'running',
  mode: 'beside',
  origin: 'new',
  ...changes,
})
const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id)

test.each([
  ['what serves stays', [container('live', 5)], 5, null, []],
  ['a service that did not change serves on from an earlier task', [container('live', 3)], 5, null, []],
  ['what a failed task started goes', [container('live', 5), container('failed', 6)], 5, null, ['failed']],
  ['what the running task started stays', [container('live', 5), container('new', 6)], 5, 6, []],
  ['an old one that could not be removed goes', [container('old', 4), container('live', 5)], 5, null, ['old']],
  ['nothing ever succeeded: all of it goes', [container('failed', 1)], null, null, ['failed']],
  [
    'one that took the place of another stays',
    [container('db', 6, { mode: 'in_place', origin: 'replaced' })],
    5,
    null,
    [],
  ],
  [
    'one that was to take the place of another goes where that one is there',
    [container('db', 6, { mode: 'in_place', origin: 'replaced' }), container('old', 4)],
    5,
    null,
    ['db'],
  ],
  [
    'a one-off command goes on, whatever serves by now',
    [container('command', 4, { service: '', mode: 'one_off' }), container('live', 5)],
    5,
    null,
    [],
  ],
  [
    'one whose work is done goes',
    [container('migrate', 5, { mode: 'one_shot', status: 'exited' })],
    5,
    null,
    ['migrate'],
  ],
])('%s', (_, containers, liveTaskId, activeTaskId, expected) => {
  expect(ids(orphanedContainers(containers, { liveTaskId, activeTaskId }))).toEqual(expected)
})

const replaced = { mode: 'in_place', origin: 'replaced' }

test.each([
  ['one that nothing else stands in for', [container('new', 6, replaced)], ['new']],
  [
    'one beside which a try to bring it back was cut off',
    [container('new', 6, replaced), container('old', 4, { status: 'created' })],
    ['new'],
  ],
  [
    'one for which the old one was stopped',
    [container('new', 6, replaced), container('old', 4, { status: 'exited' })],
    ['new'],
  ],
  [
    'one for which the old one may be about to stop',
    [container('new', 6, { ...replaced, status: 'created' }), container('old', 4)],
    ['new'],
  ],
  ['none beside one that serves', [container('new', 6, replaced), container('old', 4)], []],
  ['none of a deployment that succeeded', [container('new', 5, replaced)], []],
  ['none that started beside another', [container('new', 6)], []],
])('a failed deployment has replaced %s', (_, containers, expected) => {
  expect(ids(failedReplacements(containers, { liveTaskId: 5, activeTaskId: null }))).toEqual(expected)
})
