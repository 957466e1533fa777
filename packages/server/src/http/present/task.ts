// A task as JSON, with its phases and steps.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import { durationOf, failedStepOf, isFinal, type Phase, phasesOf, type Step } from '../../domain/tasks/task.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import { presentTime } from './time.ts'

type TaskAnswer = RouteAnswer<Routes['getTask']>

/** A task that was just queued has no steps yet. */
export function presentTask(
  ctx: Pick<Context, 'config' | 'clock'>,
  task: Task,
  steps: readonly Step[] = [],
): TaskAnswer {
  const now = lastMoment(ctx, task)
  return {
    id: task.id,
    environment_id: task.environmentId,
    project_id: task.projectId,
    kind: task.kind,
    status: task.status,
    reason: task.reason,
    cause: task.cause,
    started_by: task.startedBy && { id: task.startedBy.id, name: task.startedBy.name },
    branch: task.branch,
    commit: task.commit && { sha: task.commit.sha, message: task.commit.message, author: task.commit.author },
    url: `${ctx.config.baseUrl}/environments/${task.environmentId}/tasks/${task.id}`,
    action: task.action,
    command: task.command && [...task.command],
    service: task.service,
    created_at: presentTime(task.createdAt),
    started_at: presentTime(task.startedAt),
    finished_at: presentTime(task.finishedAt),
    duration_ms: durationOf(task, now),
    phases: phasesOf(steps).map((phase) => presentPhase(phase, task, now)),
    failed_step: presentFailedStep(failedStepOf(steps)),
    log_url: logUrlOf(ctx, task),
    log_expired_at: presentTime(task.outputExpiredAt),
  }
}

/** Beside its environment and project, for a list of many of them. */
export const presentActiveTask = (
  ctx: Pick<Context, 'config' | 'clock'>,
  task: Task,
  steps: readonly Step[] = [],
): RouteAnswer<Routes['listActiveTasks']>[number] => ({
  ...presentTask(ctx, task, steps),
  environment: { id: task.environmentId, name: task.environmentName },
  project: { id: task.projectId, name: task.projectName },
})

export const logUrlOf = (ctx: Pick<Context, 'config'>, task: Task): string =>
  `${ctx.config.baseUrl}/api/tasks/${task.id}/log`

/** Until when a step can have run: one that a crash left unfinished does not outlast its task. */
export const lastMoment = (ctx: Pick<Context, 'clock'>, task: Task): number =>
  isFinal(task.status) ? (task.finishedAt ?? ctx.clock()) : ctx.clock()

function presentPhase(phase: Phase, task: Task, now: number): TaskAnswer['phases'][number] {
  return {
    name: phase.name,
    status: phase.status,
    started_at: presentTime(phase.startedAt),
    duration_ms: durationOf(phase, now),
    steps: phase.steps.map((step) => ({
      name: step.name,
      status: step.status,
      started_at: presentTime(step.startedAt),
      duration_ms: durationOf(step, now),
      exit_code: step.exitCode,
      message: step.message,
      output: step.output && { from: step.output.from, to: step.output.to ?? outputEnd(task) },
    })),
  }
}

/** Of a step whose end was never written: once its task has ended, its output goes on to the end of the log. */
const outputEnd = (task: Task): number | null => (isFinal(task.status) ? task.outputBytes : null)

function presentFailedStep(step: Step | undefined): TaskAnswer['failed_step'] {
  return step ? { phase: step.phase, name: step.name, message: step.message, exit_code: step.exitCode } : null
}
