import type { Task } from '@shipway/api'
import { expect, test } from 'vitest'
import { rollbackTargets } from './rollback-targets.ts'

const task = (id: number, status: Task['status'] = 'succeeded', kind: Task['kind'] = 'deploy') => ({ id, status, kind })
const live = (id: number) => ({
  live: { task_id: id, commit_sha: null, since: '2026-11-15T12:00:00Z', answers: true },
  active_task: null,
})
const nothing = { live: null, active_task: null }
const idsOf = (tasks: readonly { id: number }[]): number[] => tasks.map(({ id }) => id)

test('the last successful deployments are targets, except the live one', () => {
  const tasks = [task(9), task(8, 'failed'), task(7), task(6, 'canceled'), task(5), task(4)]
  expect(idsOf(rollbackTargets(tasks, live(9)))).toEqual([7, 5])
})

test('the deployment that has just succeeded is no target of an environment that still has it as active', () => {
  const active = { active_task: { id: 9, kind: 'deploy', status: 'running' } } as const
  expect(idsOf(rollbackTargets([task(9), task(7), task(5)], { ...live(7), ...active }))).toEqual([5])
  expect(idsOf(rollbackTargets([task(9)], { ...nothing, ...active }))).toEqual([])
})

test('deployments before a reset are no targets', () => {
  const tasks = [task(9), task(8, 'succeeded', 'reset'), task(7)]
  expect(idsOf(rollbackTargets(tasks, live(9)))).toEqual([8])
})

test('a failed removal ends the targets, a canceled one does not', () => {
  expect(idsOf(rollbackTargets([task(9, 'failed', 'remove'), task(8)], nothing))).toEqual([])
  expect(idsOf(rollbackTargets([task(9, 'canceled', 'remove'), task(8)], nothing))).toEqual([8])
})

test('an action is no target', () => {
  expect(rollbackTargets([task(9, 'succeeded', 'action')], nothing)).toEqual([])
})
