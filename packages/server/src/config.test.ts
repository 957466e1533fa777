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
