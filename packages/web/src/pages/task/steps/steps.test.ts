import type { Phase, Step } from '@shipway/api'
import { expect, test } from 'vitest'
import { decisiveStep, describeTally, stepsOf } from './steps.ts'

const step = (name: string, status: Step['status'] = 'succeeded'): Step => ({
  name,
  status,
  started_at: null,
  duration_ms: null,
  exit_code: null,
  message: null,
  output: null,
})
const phase = (name: string, ...steps: Step[]): Phase => ({
  name,
  status: 'succeeded',
  started_at: null,
  duration_ms: null,
  steps,
})

test('each step has a unique key', () => {
  const phases = [
    phase('Prepare', step('Read .service.yml'), step('Größe prüfen')),
    phase('Start', step('Wait for api'), step('wait for API!'), step('…')),
  ]
  expect(stepsOf({ phases }).map(({ key }) => key)).toEqual([
    'read-service-yml',
    'größe-prüfen',
    'wait-for-api',
    'wait-for-api-2',
    'step',
  ])
})

test('counts steps and finds the decisive one', () => {
  const steps = stepsOf({ phases: [phase('Start', step('a'), step('b'), step('c', 'failed'), step('d', 'running'))] })
  expect(describeTally(steps)).toBe('2 done, 1 running, 1 failed')
  expect(decisiveStep(steps)?.key).toBe('c')
  expect(decisiveStep(stepsOf({ phases: [phase('Start', step('a'))] }))).toBeUndefined()
})
