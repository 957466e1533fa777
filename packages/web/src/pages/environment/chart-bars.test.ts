import type { Phase, Task } from '@shipway/api'
import { expect, test } from 'vitest'
import { chartOf, phaseIndex, scaleTop } from './chart-bars.ts'

const phase = (name: string, ms: number | null, status: Phase['status'] = 'succeeded'): Phase => ({
  name,
  status,
  started_at: null,
  duration_ms: ms,
  steps: [],
})
const task = (id: number, extra: Partial<Task> = {}): Task => ({
  id,
  environment_id: 1,
  project_id: 1,
  kind: 'deploy',
  status: 'succeeded',
  reason: null,
  cause: 'push',
  started_by: null,
  branch: 'main',
  commit: null,
  url: '',
  action: null,
  command: null,
  service: null,
  created_at: '2026-11-15T12:00:00Z',
  started_at: '2026-11-15T12:00:00Z',
  finished_at: '2026-11-15T12:00:40Z',
  duration_ms: 40_000,
  phases: [phase('Prepare', 10_000), phase('Build', 30_000)],
  failed_step: null,
  log_url: '',
  log_expired_at: null,
  ...extra,
})

test('the newest bar is last, and the scale ends at a round value', () => {
  const chart = chartOf([task(2, { duration_ms: 20_000 }), task(1)])
  expect(chart.bars.map(({ task: { id }, height }) => [id, height])).toEqual([
    [1, 1],
    [2, 0.5],
  ])
  expect(chart.ticks).toEqual(['40 s', '20 s', '0'])
})

test('parts are fractions of the sum of the phases', () => {
  expect(chartOf([task(1)]).bars[0]?.parts.map(({ name, share }) => [name, share])).toEqual([
    ['Prepare', 0.25],
    ['Build', 0.75],
  ])
})

test('the failed phase is marked; a task that failed before its first phase is red as a whole', () => {
  const failed = task(1, { status: 'failed', phases: [phase('Prepare', 5_000), phase('Start', 5_000, 'failed')] })
  expect(chartOf([failed]).bars[0]?.parts.map(({ isFailed }) => isFailed)).toEqual([false, true])
  const early = task(1, { status: 'failed', phases: [] })
  expect(chartOf([early]).bars[0]?.parts).toMatchObject([{ share: 1, isFailed: true }])
})

test('running tasks and other kinds have no bar', () => {
  const running = task(3, { status: 'running', finished_at: null, duration_ms: null })
  expect(chartOf([running, task(2, { kind: 'action' }), task(1, { kind: 'remove' })]).bars).toEqual([])
})

test('a deployment canceled before its start has no height', () => {
  const canceled = task(1, { status: 'canceled', duration_ms: null, phases: [] })
  expect(chartOf([canceled]).bars).toMatchObject([{ height: 0, parts: [] }])
})

test.each([
  [0, 500],
  [53_000, 60_000],
  [61_000, 80_000],
  [3_599_000, 3_600_000],
  [3_601_000, 7_200_000],
])('the scale for %i ms ends at %i', (longest, top) => {
  expect(scaleTop(longest)).toBe(top)
})

test('phases have the indexes 1 to 7', () => {
  expect(['Prepare', 'Clean up', 'Something'].map(phaseIndex)).toEqual([1, 7, 7])
})
