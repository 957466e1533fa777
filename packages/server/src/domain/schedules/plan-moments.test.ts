import { expect, test } from 'vitest'
import { planMoments, sinceWhen } from './plan-moments.ts'

const at = (time: string): number => Date.parse(`2026-01-${time}Z`)
type PlanInput = { readonly from: string; readonly now: string; readonly since?: string; readonly catchesUp?: boolean }
const plan = (cron: string, { from, now, since, catchesUp = false }: PlanInput) => {
  const schedule = { cron, timeZone: 'UTC', catchesUp, nextRunAt: at(from) }
  const runningSince = since === undefined ? sinceWhen(undefined, at(now)) : at(since)
  const { missed, overtaken, start, nextAt } = planMoments(schedule, { now: at(now), runningSince })
  const text = (time: number): string => new Date(time).toISOString().slice(8, 16)
  return {
    missed: missed.length,
    overtaken: overtaken.length,
    start: start && `${text(start.dueAt)} ${start.isLate ? 'late' : 'on time'}`,
    next: nextAt && text(nextAt),
  }
}

test.each([
  ['on time', { from: '01T10:00', now: '01T10:00' }, { missed: 0, start: '01T10:00 on time', next: '01T11:00' }],
  ['within its minute', { from: '01T10:00', now: '01T10:00:59' }, { missed: 0, start: '01T10:00 on time' }],
  ['a minute late', { from: '01T10:00', now: '01T10:01' }, { missed: 1, start: null, next: '01T11:00' }],
  ['late, made up for', { from: '01T10:00', now: '01T12:01', catchesUp: true }, { missed: 2, start: '01T12:00 late' }],
  ['the newest on time', { from: '01T10:00', now: '01T12:00' }, { missed: 2, start: '01T12:00 on time' }],
  ['a hundred and more', { from: '01T10:00', now: '20T10:30' }, { missed: 100, start: null, next: '20T11:00' }],
  ['more, one on time', { from: '01T10:00', now: '20T10:00' }, { missed: 100, start: '20T10:00 on time' }],
  ['more, made up for', { from: '01T10:00', now: '20T10:30', catchesUp: true }, { missed: 99, start: '05T13:00 late' }],
  ['slow', { from: '01T10:00', now: '01T10:05', since: '01T09:00' }, { missed: 0, start: '01T10:00 on time' }],
  ['slower', { from: '01T10:00', now: '01T12:05', since: '01T09:00' }, { overtaken: 2, start: '01T12:00 on time' }],
  [
    'away, then slow',
    { from: '01T10:00', now: '01T13:05', since: '01T11:30' },
    { missed: 2, overtaken: 1, start: '01T13:00 on time', next: '01T14:00' },
  ],
])('each hour: %s', (_, given, expected) => {
  expect(plan('0 * * * *', given)).toMatchObject(expected)
})

test('a platform runs as long as one pass follows the other within a minute', () => {
  const first = sinceWhen(undefined, at('01T10:00'))
  expect(first).toBe(at('01T09:59'))
  const slow = { runningSince: first, endedAt: at('01T10:20') }
  expect(sinceWhen(slow, at('01T10:20:05'))).toBe(first)
  expect(sinceWhen(slow, at('01T10:21'))).toBe(at('01T10:20'))
})
