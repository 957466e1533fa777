// Moments of a schedule that started no run, in words.
import type { Action } from '@shipway/api'
import { formatExact } from './ago.ts'

export function describeMoment({ due_at, outcome, reason }: Action['schedule_history'][number]): string {
  const what = outcome === 'missed' ? 'Missed' : 'Skipped'
  return `${what} on ${formatExact(new Date(due_at))}${reason === null ? '' : `: ${reason}`}`
}

/** A schedule may have another time zone than the user, so the zone is named. */
export const formatNextRun = (at: Date): string => NEXT_RUN.format(at)

const NEXT_RUN = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})
