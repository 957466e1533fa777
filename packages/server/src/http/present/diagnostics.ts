// Why a deployment failed, as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import { VARIABLES_CHANGED_HINT } from '@shipway/api/variables'
import type { Context } from '../../context.ts'
import { LogExpired } from '../../domain/errors.ts'
import { certificateHint } from '../../domain/tasks/hints/certificate-hint.ts'
import { hintsFor } from '../../domain/tasks/hints/failure-hints.ts'
import type { OutputTail } from '../../domain/tasks/output-tail.ts'
import { durationOf, failedStepOf, type Step } from '../../domain/tasks/task.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import { lastMoment, logUrlOf, presentTask } from './task.ts'
import { presentTime } from './time.ts'

type DiagnosticsAnswer = RouteAnswer<Routes['getDiagnostics']>

type Findings = {
  readonly environmentId: number
  readonly latest: Task | undefined
  /** Of the latest deployment, where it succeeded. */
  readonly warnings: readonly string[]
  /** The most recent deployment that failed, with its steps; there may be later ones that did not. */
  readonly failed: Task | undefined
  readonly steps: readonly Step[]
  /** The end of what the failed step printed. */
  readonly output: OutputTail | undefined
  /** Certificates of its domains that could not be ordered. */
  readonly failedOrders: readonly { readonly domain: string; readonly error: string }[]
  readonly haveVariablesChanged: boolean
}

export function presentDiagnostics(
  ctx: Pick<Context, 'config' | 'clock'>,
  { environmentId, latest, warnings, failed, steps, output, failedOrders, haveVariablesChanged }: Findings,
): DiagnosticsAnswer {
  const step = failedStepOf(steps)
  return {
    environment_id: environmentId,
    task: failed ? presentTask(ctx, failed, steps) : null,
    latest_task: latest ? { id: latest.id, status: latest.status } : null,
    is_latest: failed !== undefined && failed.id === latest?.id,
    failed_step: failed && step ? presentFailedStep(step, lastMoment(ctx, failed)) : null,
    output: presentOutput(output),
    hints: [
      ...(haveVariablesChanged ? [VARIABLES_CHANGED_HINT] : []),
      ...(step ? hintsFor({ ...step, lines: output?.text.split('\n') ?? [] }) : []),
      ...(failed && failed.outputExpiredAt !== null
        ? [`${LogExpired(failed.finishedAt, failed.outputExpiredAt).message}.`]
        : []),
      ...warnings,
      ...failedOrders.map(certificateHint),
    ],
    log_url: failed ? logUrlOf(ctx, failed) : null,
    variables_changed: haveVariablesChanged,
  }
}

function presentFailedStep(step: Step, now: number): DiagnosticsAnswer['failed_step'] {
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

function presentOutput(output: OutputTail | undefined): DiagnosticsAnswer['output'] {
  if (!output) return null
  return {
    text: output.text,
    first_line: output.firstLine,
    last_line: output.lastLine,
    total_lines: output.totalLines,
    truncated: output.isTruncated,
  }
}
