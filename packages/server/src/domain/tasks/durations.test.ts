import { expect, test } from 'vitest'
import { usualDurations } from './durations.ts'
import type { Step } from './task.ts'

const step = (phase: string, startedAt: number | null, finishedAt: number | null, more: Partial<Step> = {}): Step => ({
  phase,
  name: 'Step',
  status: 'succeeded',
  kind: 'command',
  exitCode: null,
  message: null,
  output: null,
  startedAt,
  finishedAt,
  ...more,
})
const run = (durationMs: number, steps: readonly Step[] = []) => ({
  task: { startedAt: 1000, finishedAt: 1000 + durationMs },
  steps,
})
const whole = (...durations: number[]) => usualDurations(durations.map((duration) => run(duration))).durationMs

test('the median is the middle one, or lies between the two in the middle', () => {
  expect(whole(7)).toBe(7)
  expect(whole(100, 1, 20)).toBe(20)
  expect(whole(4, 1, 3, 1000)).toBe(4)
  expect(whole(10, 9)).toBe(10)
  expect(usualDurations([])).toEqual({ runs: 0, durationMs: null, phases: [] })
})

test('a phase lasts from its first step to its last, and stands where the newest run has it', () => {
  const newest = run(9, [step('Prepare', 0, 10), step('Build', 10, 30), step('Prepare', 30, 40)])
  const older = run(9, [step('Transfer', 0, 3), step('Prepare', 3, 23)])
  expect(usualDurations([newest, older]).phases).toEqual([
    { name: 'Prepare', durationMs: 30 },
    { name: 'Build', durationMs: 20 },
    { name: 'Transfer', durationMs: 3 },
  ])
})

test('what was skipped, never ended or never began says nothing', () => {
  const skipped = run(5, [step('Build', null, null, { status: 'skipped' })])
  const endless = run(7, [step('Build', 1, null, { status: 'running' })])
  expect(usualDurations([skipped, endless])).toEqual({ runs: 2, durationMs: 6, phases: [] })
  expect(usualDurations([skipped, run(5, [step('Build', 2, 6)])]).phases).toEqual([{ name: 'Build', durationMs: 4 }])
  expect(usualDurations([{ task: { startedAt: null, finishedAt: 9 }, steps: [] }]).durationMs).toBe(null)
})

test('a clock that was set back gives no minus', () => {
  expect(usualDurations([{ task: { startedAt: 9, finishedAt: 1 }, steps: [] }]).durationMs).toBe(0)
})
