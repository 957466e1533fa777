// Why a deployment failed, as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import { VARIABLES_CHANGED_HINT } from '@shipway/api/variables'
import type { Context } from '../../context.ts'
import { durationOf, failedStepOf, type Step } from '../../domain/task.ts'
import type { Task } from '../../store/tasks.ts'
import { lastMoment, logUrlOf, presentTask } from './task.ts'
import { presentTime } from './time.ts'

type DiagnosticsAnswer = RouteAnswer<Routes['getDiagnostics']>

type Findings = {
  readonly environmentId: number
  readonly latest: Task | undefined
  /** The most recent deployment that failed, with its steps; there may be later ones that did not. */
  readonly failed: Task | undefined
  readonly steps: readonly Step[]
  readonly haveVariablesChanged: boolean
}

export function presentDiagnostics(
  ctx: Pick<Context, 'config' | 'clock'>,
  { environmentId, latest, failed, steps, haveVariablesChanged }: Findings,
): DiagnosticsAnswer {
  return {
    environment_id: environmentId,
    task: failed ? presentTask(ctx, failed, steps) : null,
    latest_task: latest ? { id: latest.id, status: latest.status } : null,
    is_latest: failed !== undefined && failed.id === latest?.id,
    failed_step: failed ? presentFailedStep(failedStepOf(steps), lastMoment(ctx, failed)) : null,
    output: null,
    hints: haveVariablesChanged ? [VARIABLES_CHANGED_HINT] : [],
    log_url: failed ? logUrlOf(ctx, failed) : null,
    variables_changed: haveVariablesChanged,
  }
}

function presentFailedStep(step: Step | undefined, now: number): DiagnosticsAnswer['failed_step'] {
  if (!step) return null
  return {
    phase: step.phase,
    name: step.name,
    kind: step.kind,
    message: step.message,
    exit_code: step.exitCode,
    started_at: presentTime(step.startedAt),
    duration_ms: durationOf(step, now),
  }
}
