// Data of the bar chart of deployments: heights, phases, scale.
import type { Task } from '@shipway/api'
import { PHASES } from '../../status/phases.ts'
import { formatDuration } from '../../text/duration.ts'

type Part = { readonly name: string; readonly share: number; readonly ms: number; readonly isFailed: boolean }
export type Bar = {
  readonly task: Task
  /** Fraction of the chart's height. */
  readonly height: number
  /** Fractions of the bar, in the order of the phases. */
  readonly parts: readonly Part[]
}
export type Chart = {
  readonly bars: readonly Bar[]
  /** From top to bottom. */
  readonly ticks: readonly string[]
}

/** Finished deployments, the newest last. */
export function chartOf(tasks: readonly Task[]): Chart {
  const ended = tasks.filter(isCharted).toReversed()
  const top = scaleTop(Math.max(0, ...ended.map(msOf)))
  const bars = ended.map((task) => ({ task, height: msOf(task) / top, parts: partsOf(task) }))
  return { bars, ticks: [formatTick(top), formatTick(top / 2), '0'] }
}

export const isCharted = ({ kind, finished_at }: Pick<Task, 'kind' | 'finished_at'>): boolean =>
  (kind === 'deploy' || kind === 'reset') && finished_at !== null

const msOf = ({ duration_ms }: Task): number => duration_ms ?? 0

/** Excludes waiting between phases: fractions of the sum of the phases. */
function partsOf(task: Task): readonly Part[] {
  const phases = task.phases.filter(({ duration_ms }) => duration_ms !== null && duration_ms > 0)
  const together = phases.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0)
  const parts = phases.map(({ name, status, duration_ms }) => ({
    name,
    ms: duration_ms ?? 0,
    share: (duration_ms ?? 0) / together,
    isFailed: status === 'failed',
  }))
  if (parts.length > 0 || task.status !== 'failed') return parts
  return [{ name: 'Before the first phase', ms: msOf(task), share: 1, isFailed: true }]
}

/** Color index of a phase; unknown phases get the last color. */
export function phaseIndex(name: string): number {
  const names: readonly string[] = PHASES
  const index = names.indexOf(name)
  return index === -1 ? PHASES.length : index + 1
}

const STEPS_S = [0.5, 1, 2, 4, 6, 10, 20, 30, 40, 60, 80, 120, 180, 240, 360, 480, 600, 900, 1200, 1800, 2400, 3600]

/** Smallest round value above the longest; whole hours above one hour. */
export function scaleTop(longestMs: number): number {
  const seconds = longestMs / 1000
  const step = STEPS_S.find((candidate) => candidate >= seconds) ?? Math.ceil(seconds / 3600) * 3600
  return step * 1000
}

function formatTick(ms: number): string {
  if (ms < 60_000) return `${ms / 1000} s`
  return ms <= 120_000 && ms % 60_000 !== 0 ? `${ms / 1000} s` : formatDuration(ms)
}
