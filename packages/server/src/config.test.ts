// Settings of the environment: what is left out has a default, and what cannot be is refused before anything starts.
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('tasks and steps have limits of time that can be set', () => {
  expect(readConfig({})).toMatchObject({ taskMinutes: 60, stepMinutes: 30 })
  expect(readConfig({ SHIPWAY_TASK_MINUTES: '180', SHIPWAY_STEP_MINUTES: '90' })).toMatchObject({
    taskMinutes: 180,
    stepMinutes: 90,
  })
  expect(readConfig({ SHIPWAY_TASK_MINUTES: '' })).toMatchObject({ taskMinutes: 60 })
})

test.each(['0', '-5', '1.5', 'an hour', '1000000'])('%s is no limit of time', (value) => {
  expect(() => readConfig({ SHIPWAY_TASK_MINUTES: value })).toThrow(/^SHIPWAY_TASK_MINUTES: /)
})

test('the metrics are closed unless a setting says otherwise, and take no token that could be guessed', () => {
  expect(readConfig({})).toMatchObject({ metricsToken: undefined, metricsAreOpen: false })
  expect(readConfig({ SHIPWAY_METRICS: 'open' })).toMatchObject({ metricsAreOpen: true })
  expect(readConfig({ SHIPWAY_METRICS_TOKEN: 'x'.repeat(16) }).metricsToken?.reveal()).toBe('x'.repeat(16))
  for (const token of ['short', 'with spaces in a long text']) {
    expect(() => readConfig({ SHIPWAY_METRICS_TOKEN: token })).toThrow(/^SHIPWAY_METRICS_TOKEN: Give at least 16/)
  }
  expect(() => readConfig({ SHIPWAY_METRICS: 'yes' })).toThrow('SHIPWAY_METRICS: Give open or closed')
})
