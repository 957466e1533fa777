import { expect, test } from 'vitest'
import { type EnvironmentTasks, sortOrphans } from './task-orphans.ts'

const tasks: EnvironmentTasks = {
  isGone: false,
  newestId: 20,
  neededIds: [20],
  liveIds: [14],
  succeededIds: [14, 11, 9, 7],
}

const cases: readonly [string, Partial<EnvironmentTasks>, readonly number[], unknown][] = [
  ['what failed or was canceled is over', {}, [12, 13], { live: [], kept: [], over: [12, 13] }],
  ['what serves is live', {}, [14], { live: [14], kept: [], over: [] }],
  [
    'the three newest that succeeded are kept, the serving one among them',
    {},
    [11, 9, 7],
    { live: [], kept: [11, 9], over: [7] },
  ],
  ['what is queued or running is not touched', {}, [20, 13], { live: [], kept: [], over: [13] }],
  ['what a waiting rollback begins from is not touched', { neededIds: [20, 7] }, [7], { live: [], kept: [], over: [] }],
  [
    'a task that serves although it did not succeed is live',
    { liveIds: [14, 13] },
    [13],
    { live: [13], kept: [], over: [] },
  ],
  ['a task that the records do not know is not touched', {}, [21, 500], { live: [], kept: [], over: [] }],
  ['what was found twice is listed once', {}, [13, 13], { live: [], kept: [], over: [13] }],
  [
    'of a removed environment everything is over',
    { isGone: true, neededIds: [] },
    [14, 11],
    { live: [], kept: [], over: [14, 11] },
  ],
]

test.each(cases)('%s', (_, changes, found, orphans) => {
  expect(sortOrphans({ ...tasks, ...changes }, found)).toEqual(orphans)
})
