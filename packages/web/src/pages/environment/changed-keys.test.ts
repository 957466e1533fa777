import { expect, test } from 'vitest'
import { changedVariables, nameKeys } from './changed-keys.ts'

const by = { updated_by: { id: 1, name: 'Ada' }, build: false, source: 'environment' } as const
const at = (minute: number): string => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`
const variables = [
  { key: 'OLD', updated_at: at(1), ...by },
  { key: 'FIRST', updated_at: at(11), ...by },
  { key: 'SECOND', updated_at: at(12), ...by },
]
const keysOf = (tasks: Parameters<typeof changedVariables>[1]) =>
  changedVariables(variables, tasks).map(({ key }) => key)

test('all keys that were set since the last deployment began are named, the newest first', () => {
  const tasks = [
    { kind: 'deploy', started_at: null },
    { kind: 'action', started_at: at(13) },
    { kind: 'deploy', started_at: at(10) },
    { kind: 'deploy', started_at: at(0) },
  ] as const
  expect(keysOf(tasks)).toEqual(['SECOND', 'FIRST'])
  expect(keysOf([{ kind: 'reset', started_at: at(20) }])).toEqual([])
  expect(keysOf([])).toEqual(['SECOND', 'FIRST', 'OLD'])
})

test('of many keys five are named', () => {
  expect(nameKeys(['A', 'B', 'C', 'D', 'E', 'F'])).toEqual({ named: ['A', 'B', 'C', 'D', 'E', 'F'], more: 0 })
  expect(nameKeys(['A', 'B', 'C', 'D', 'E', 'F', 'G'])).toEqual({ named: ['A', 'B', 'C', 'D', 'E'], more: 2 })
})
