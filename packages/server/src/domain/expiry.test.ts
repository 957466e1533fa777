import { expect, test } from 'vitest'
import { expiryOf } from './expiry.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const nothing = {
  running: null,
  queued: null,
  last: null,
  lastDeployment: null,
  live: null,
  lastOutcome: null,
  lastEndedId: null,
  variablesVersion: null,
}
const ended = (finishedAt: number) => ({
  ...nothing,
  lastDeployment: { id: 1, status: 'succeeded', finishedAt } as const,
})
const environment: Parameters<typeof expiryOf>[0] = {
  type: 'pull_request',
  isSticky: false,
  isProtected: false,
  isProjectDeleting: false,
  lifetime: { hours: 72, changedAt: 0 },
  tasks: ended(10 * DAY),
  createdAt: DAY,
  updatedAt: DAY,
  extendedAt: null,
  upload: null,
}
const deploying = { id: 2, status: 'running', kind: 'deploy' } as const

test.each([
  ['so long after its last deployment', {}, 13 * DAY],
  ['so long after it was made, where nothing was deployed', { tasks: nothing }, 4 * DAY],
  ['within hours, where the project says so', { lifetime: { hours: 2, changedAt: 0 } }, 10 * DAY + 2 * HOUR],
  ['a day after the lifetime was made shorter', { lifetime: { hours: 1, changedAt: 20 * DAY } }, 21 * DAY],
  ['a day after it was changed itself, such as its protection', { updatedAt: 20 * DAY }, 21 * DAY],
  [
    'no later than its lifetime after a change, where that is shorter than a day',
    { lifetime: { hours: 2, changedAt: 0 }, updatedAt: 20 * DAY },
    20 * DAY + 2 * HOUR,
  ],
  ['never, without a lifetime', { lifetime: null }, null],
  ['never, if a user made it', { type: 'manual' as const }, null],
  ['never, while it is sticky', { isSticky: true }, null],
  ['never, while it is protected', { isProtected: true }, null],
  ['never, while its project goes', { isProjectDeleting: true }, null],
  ['never, while a deployment runs', { tasks: { ...ended(0), running: deploying } }, null],
  ['never, while one waits', { tasks: { ...ended(0), queued: { ...deploying, status: 'queued' as const } } }, null],
])('an environment expires %s', (_, facts, at) => {
  expect(expiryOf({ ...environment, ...facts })).toBe(at)
})
