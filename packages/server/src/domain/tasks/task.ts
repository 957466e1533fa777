// The states of a task, and what its steps say about it.
//
//   queued ──► running ──► succeeded | failed | canceled
//     └────────────────────────────────► canceled
//
// The three on the right are final: nothing leads out of them.
import type { StepKind, StepStatus, TaskKind, TaskStatus } from '@shipway/api/tasks'

/** From where each state may be reached. Whoever writes a status asks for one of these in the same statement. */
export const LEGAL_PREDECESSORS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  queued: [],
  running: ['queued'],
  succeeded: ['running'],
  failed: ['running'],
  canceled: ['queued', 'running'],
}

export function isFinal(status: TaskStatus): boolean {
  return !Object.values(LEGAL_PREDECESSORS).some((predecessors) => predecessors.includes(status))
}

/** Kinds of tasks that put a commit into service; people call these deployments. */
export const DEPLOYMENT_KINDS: readonly TaskKind[] = ['deploy', 'reset']

/** Times are integer milliseconds. */
export type Timed = { readonly startedAt: number | null; readonly finishedAt: number | null }

export type Step = Timed & {
  readonly phase: string
  readonly name: string
  readonly status: StepStatus
  readonly kind: StepKind
  readonly exitCode: number | null
  readonly message: string | null
  /** The bytes of the task's log that it printed; `to` is null until its end was written. */
  readonly output: { readonly from: number; readonly to: number | null } | null
}

export type Phase = Timed & {
  readonly name: string
  readonly status: StepStatus
  readonly steps: readonly Step[]
}

/** A phase stands where its first step stands; steps keep their order within it. */
export function phasesOf(steps: readonly Step[]): readonly Phase[] {
  const byName = Map.groupBy(steps, ({ phase }) => phase)
  return [...byName].map(([name, own]) => ({
    name,
    status: statusOf(own),
    startedAt: startOf(own),
    finishedAt: endOf(own),
    steps: own,
  }))
}

/** How long it took, or has taken by `now`; null for what never started. A clock that was set back gives no minus. */
export function durationOf({ startedAt, finishedAt }: Timed, now: number): number | null {
  return startedAt === null ? null : Math.max(0, (finishedAt ?? now) - startedAt)
}

/** The first step that failed: those after it, if any, failed because of it. */
export function failedStepOf(steps: readonly Step[]): Step | undefined {
  return steps.find(({ status }) => status === 'failed')
}

/** The first of these that any step has is the phase's; a phase with none of them had every step skipped or succeed. */
const WEIGHTIEST_FIRST: readonly StepStatus[] = ['failed', 'running', 'canceled', 'pending']

function statusOf(steps: readonly Step[]): StepStatus {
  const weightiest = WEIGHTIEST_FIRST.find((status) => steps.some((step) => step.status === status))
  if (weightiest) return weightiest
  return steps.every(({ status }) => status === 'skipped') ? 'skipped' : 'succeeded'
}

function startOf(steps: readonly Step[]): number | null {
  const starts = steps.flatMap(({ startedAt }) => startedAt ?? [])
  return starts.length > 0 ? Math.min(...starts) : null
}

/** A phase goes on while one of its steps has not ended. */
function endOf(steps: readonly Step[]): number | null {
  if (steps.some(({ status }) => status === 'running' || status === 'pending')) return null
  const ends = steps.flatMap(({ finishedAt }) => finishedAt ?? [])
  return ends.length > 0 ? Math.max(...ends) : null
}
