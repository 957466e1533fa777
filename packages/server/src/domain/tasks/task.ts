// The kinds of tasks, the states of a task, and what its steps say about it.
//
//   queued ──► running ──► succeeded | failed | canceled
//     └────────────────────────────────► canceled
//
// The three on the right are final: nothing leads out of them.
import type { StepKind, StepStatus, TaskKind, TaskReason, TaskStatus } from '@shipway/api/tasks'

/** The states that may lead to each state. Every write of a status checks this in the same statement. */
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

type KindProperties = {
  /** Puts a commit into service. */
  readonly isDeployment: boolean
  /** At most one of these runs in an environment, and one waits. Others run beside them, in slots of their own. */
  readonly locksEnvironment: boolean
  /** Deletes everything that the environment has on its server: no other task of the environment may run meanwhile. */
  readonly clearsEnvironment: boolean
  /** The environment is gone when it has succeeded. */
  readonly removesEnvironment: boolean
  /** Runs inside the live deployment, on the server where that is, and ends when the environment is cleared. */
  readonly runsInLiveDeployment: boolean
  /** Runs an action of `.service.yml`, which the task names. */
  readonly runsNamedAction: boolean
  readonly isAllowedWhileProtected: boolean
  readonly noun: string
  /** What the user does after an interruption. */
  readonly retryAdvice: string
}

/**
 * Everything that tells one kind from another. The conditions of SQL are made from it (`store/tasks/task-kinds.ts`). A new kind is a row
 * here, a program in `runner/run-task.ts`, and a migration for the check and the partial indexes of `tasks`.
 */
export const TASK_KINDS: Readonly<Record<TaskKind, KindProperties>> = {
  deploy: {
    isDeployment: true,
    locksEnvironment: true,
    clearsEnvironment: false,
    removesEnvironment: false,
    runsInLiveDeployment: false,
    runsNamedAction: false,
    isAllowedWhileProtected: true,
    noun: 'deployment',
    retryAdvice: 'Deploy again',
  },
  remove: {
    isDeployment: false,
    locksEnvironment: true,
    clearsEnvironment: true,
    removesEnvironment: true,
    runsInLiveDeployment: false,
    runsNamedAction: false,
    isAllowedWhileProtected: true,
    noun: 'removal',
    retryAdvice: 'Remove it again',
  },
  reset: {
    isDeployment: true,
    locksEnvironment: true,
    clearsEnvironment: true,
    removesEnvironment: false,
    runsInLiveDeployment: false,
    runsNamedAction: false,
    isAllowedWhileProtected: false,
    noun: 'reset',
    retryAdvice: 'Reset it again',
  },
  action: {
    isDeployment: false,
    locksEnvironment: false,
    clearsEnvironment: false,
    removesEnvironment: false,
    runsInLiveDeployment: true,
    runsNamedAction: true,
    isAllowedWhileProtected: true,
    noun: 'action',
    retryAdvice: 'Start it again',
  },
  run: {
    isDeployment: false,
    locksEnvironment: false,
    clearsEnvironment: false,
    removesEnvironment: false,
    runsInLiveDeployment: true,
    runsNamedAction: false,
    isAllowedWhileProtected: true,
    noun: 'command',
    retryAdvice: 'What it has changed stays changed. Run it again if that is safe',
  },
}

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

/** Phases are ordered by their first step; steps keep their order within a phase. */
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

/** A phase runs until its last step has ended. */
function endOf(steps: readonly Step[]): number | null {
  if (steps.some(({ status }) => status === 'running' || status === 'pending')) return null
  const ends = steps.flatMap(({ finishedAt }) => finishedAt ?? [])
  return ends.length > 0 ? Math.max(...ends) : null
}

/** Why a task ended as it did, where its steps do not say. `expired` is why a removal was started, not how it ended. */

export type EndReason = Exclude<TaskReason, 'expired'>
