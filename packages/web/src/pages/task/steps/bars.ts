// Bars of the waterfall. Bars of running steps end now.
import type { Step, Task } from '@shipway/api'
import { formatDuration, formatRunning } from '../../../text/duration.ts'

type Timed = Pick<Step, 'started_at' | 'duration_ms' | 'status'>
/** From 0 to 1 of the whole. */
export type Bar = { readonly from: number; readonly length: number }

export function totalMsOf(task: Pick<Task, 'started_at' | 'finished_at' | 'duration_ms'>, now: Date): number {
  if (task.started_at === null) return 0
  const end = task.finished_at === null ? now.getTime() : Date.parse(task.finished_at)
  return Math.max(0, task.duration_ms ?? 0, end - Date.parse(task.started_at))
}

export function elapsedMs({ started_at, duration_ms, status }: Timed, now: Date): number | undefined {
  if (started_at === null) return undefined
  // The API sends how long a running step has run so far, which is old a second later.
  if (status === 'running') return Math.max(0, now.getTime() - Date.parse(started_at))
  return duration_ms ?? undefined
}

export function formatElapsed(timed: Timed, now: Date): string | undefined {
  const ms = elapsedMs(timed, now)
  if (ms === undefined) return undefined
  return timed.status === 'running' ? formatRunning(ms) : formatDuration(ms)
}

export function barOf(
  timed: Timed,
  task: Pick<Task, 'started_at'>,
  when: { now: Date; totalMs: number },
): Bar | undefined {
  const ms = elapsedMs(timed, when.now)
  if (ms === undefined || timed.started_at === null || task.started_at === null) return undefined
  const begin = Date.parse(timed.started_at) - Date.parse(task.started_at)
  const from = within(begin / when.totalMs)
  return { from, length: Math.min(ms / when.totalMs, 1 - from) }
}

const within = (part: number): number => Math.min(1, Math.max(0, part))
