import { expect, test } from 'vitest'
import { describeEvents } from './channel.ts'

test.each([
  [['alert.opened', 'alert.resolved'], ['warning', 'critical'], 'Alerts'],
  [['alert.opened'], ['critical'], 'Critical alerts'],
  [['deployment.failed'], ['warning', 'critical'], 'Failed deployments'],
  [
    ['alert.opened', 'deployment.succeeded', 'deployment.failed'],
    ['warning'],
    'Warning alerts and finished deployments',
  ],
] as const)('%j of %j are “%s”', (events, severities, words) => {
  expect(describeEvents({ events: [...events], severities: [...severities] })).toBe(words)
})
