import { TaskStatus } from '@shipway/api/tasks'
import { expect, test } from 'vitest'
import { durationOf, failedStepOf, isFinal, LEGAL_PREDECESSORS, phasesOf, type Step } from './task.ts'

const step = (phase: string, name: string, more: Partial<Step> = {}): Step => ({
  phase,
  name,
  status: 'succeeded',
  kind: 'command',
  exitCode: null,
  message: null,
  output: null,
  startedAt: null,
  finishedAt: null,
  ...more,
})

test('the legal moves are these and no others', () => {
  const moves = TaskStatus.options.flatMap((to) => LEGAL_PREDECESSORS[to].map((from) => `${from} to ${to}`))
  expect(moves.sort()).toEqual([
    'queued to canceled',
    'queued to running',
    'running to canceled',
    'running to failed',
    'running to succeeded',
  ])
})

test('succeeded, failed and canceled are final', () => {
  expect(TaskStatus.options.filter(isFinal)).toEqual(['succeeded', 'failed', 'canceled'])
})

test('phases stand in the order of their first steps and gather later ones', () => {
  const phases = phasesOf([step('Prepare', 'Fetch'), step('Build', 'Image'), step('Prepare', 'Check')])
  expect(phases.map(({ name, steps }) => [name, steps.map((own) => own.name)])).toEqual([
    ['Prepare', ['Fetch', 'Check']],
    ['Build', ['Image']],
  ])
  expect(phasesOf([])).toEqual([])
})

test.each([
  [['succeeded', 'failed', 'running'], 'failed'],
  [['succeeded', 'running', 'pending'], 'running'],
  [['canceled', 'pending', 'succeeded'], 'canceled'],
  [['succeeded', 'pending'], 'pending'],
  [['skipped', 'skipped'], 'skipped'],
  [['skipped', 'succeeded'], 'succeeded'],
  [['succeeded'], 'succeeded'],
] as const)('a phase with steps %j is %s', (statuses, expected) => {
  expect(phasesOf(statuses.map((status) => step('Build', 'One', { status })))[0]?.status).toBe(expected)
})

test('a phase lasts from the start of its first step to the end of its last', () => {
  const [phase] = phasesOf([
    step('Build', 'One', { startedAt: 100, finishedAt: 150 }),
    step('Build', 'Two', { startedAt: 160, finishedAt: 400 }),
    step('Build', 'Three', { status: 'skipped' }),
  ])
  expect(phase).toMatchObject({ startedAt: 100, finishedAt: 400 })
})

test('a phase has no end while a step of it is to come', () => {
  const [phase] = phasesOf([
    step('Build', 'One', { startedAt: 100, finishedAt: 150 }),
    step('Build', 'Two', { status: 'pending' }),
  ])
  expect(phase).toMatchObject({ startedAt: 100, finishedAt: null })
})

test.each([
  [{ startedAt: null, finishedAt: null }, null],
  [{ startedAt: null, finishedAt: 700 }, null],
  [{ startedAt: 100, finishedAt: null }, 900],
  [{ startedAt: 100, finishedAt: 400 }, 300],
  [{ startedAt: 100, finishedAt: 90 }, 0],
])('%j took %s by 1000', (timed, expected) => {
  expect(durationOf(timed, 1000)).toBe(expected)
})

test('the failed step is the first that failed', () => {
  const steps = [step('A', 'One'), step('A', 'Two', { status: 'failed' }), step('B', 'Three', { status: 'failed' })]
  expect(failedStepOf(steps)?.name).toBe('Two')
  expect(failedStepOf([step('A', 'One')])).toBeUndefined()
})
