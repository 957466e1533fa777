// Moments of a schedule that started no run, in words.
import type { Action } from '@shipway/api'
import { formatExact } from './ago.ts'

export function describeMoment({ due_at, outcome, reason }: Action['schedule_history'][number]): string {
  const what = outcome === 'missed' ? 'Missed' : 'Skipped'
  return `${what} on ${formatExact(new Date(due_at))}${reason === null ? '' : `: ${reason}`}`
}
