// Explains a failed deployment on one screen: the step, the end of its output, hints, and what visitors see.
import { type Diagnostics, describeLogExpiry, type Environment, type Task } from '@shipway/api'
import { describeAfterRelease } from '@shipway/api/values/release-commands'
import { completeCommands } from '../target/command-words.ts'
import type { Target } from '../target/find-environment.ts'
import { plainLines, plainText } from '../terminal/sanitize.ts'
import type { Paint } from '../terminal/sink.ts'

type FailureReport = {
  readonly task: Task
  /** Undefined if they belong to another task. */
  readonly diagnostics: Diagnostics | undefined
  readonly target: Target
  readonly paint: Paint
}

export function failureReport({ task, diagnostics, target, paint }: FailureReport): string[] {
  return [
    paint.failed(verdict(task)),
    ...excerpt(diagnostics, paint),
    '',
    ...(diagnostics?.hints ?? []).map((hint) => `Hint  ${completeCommands(hint, target)}`),
    ...logLine(task, diagnostics),
    ...serving(target.environment, task),
  ]
}

/** The hints of the diagnostics say so themselves if the log was removed. */
function logLine({ id, finished_at, log_expired_at }: Task, diagnostics: Diagnostics | undefined): string[] {
  if (log_expired_at === null) return [`Log   shipway tasks log ${id}`]
  return diagnostics ? [] : [`Log   ${describeLogExpiry({ finished_at, log_expired_at })}`]
}

export function verdict({ failed_step: step, status, reason, kind }: Task): string {
  const what = KINDS[kind] ?? 'The task'
  if (step) {
    const message = step.message ?? (step.exit_code === null ? undefined : `exit code ${step.exit_code}`)
    const because = message === undefined ? '' : `: ${plainLines(message).trim()}`
    return `${plainText(step.name)} failed in ${plainText(step.phase)}${because}`
  }
  const why = reason === null ? '' : `: ${REASONS[reason] ?? plainText(reason)}`
  return `${what} ${status === 'canceled' ? 'was canceled' : 'failed'}${why}`
}

const KINDS: Readonly<Partial<Record<Task['kind'], string>>> = {
  deploy: 'The deployment',
  action: 'The action',
  run: 'The command',
}

const REASONS: Readonly<Record<NonNullable<Task['reason']>, string>> = {
  superseded: 'a newer one replaced it',
  canceled_by_user: 'a user canceled it',
  protected: 'the environment is protected',
  timed_out: 'it exceeded its time limit',
  server_unreachable: 'the server could not be reached',
  interrupted: 'the platform was interrupted',
  expired: 'nothing was deployed for a long time',
}

const MOST_EXCERPT_LINES = 20

/** The last output lines of the failed step, with line numbers. */
function excerpt(diagnostics: Diagnostics | undefined, paint: Paint): string[] {
  const output = diagnostics?.output
  if (!output) return []
  const lines = plainLines(output.text).trimEnd().split('\n')
  const shown = lines.slice(-MOST_EXCERPT_LINES)
  const first = output.first_line + lines.length - shown.length
  const width = String(first + shown.length).length
  return ['', ...shown.map((line, index) => `  ${paint.faint(String(first + index).padStart(width))}  ${line}`)]
}

function serving({ live }: Environment, task: Task): string[] {
  if (task.kind !== 'deploy' || !live || live.task_id === task.id) return []
  const what = `${live.commit_sha === null ? '' : `${live.commit_sha.slice(0, 7)} of `}task ${live.task_id}`
  // Says nothing without a health check since the deployment.
  if (live.answers === null) return []
  if (live.answers)
    return [
      describeAfterRelease(task, what) ?? `Nothing changed for visitors: ${what} still serves (checked just now).`,
    ]
  return [`Visitors get no answer: ${what} is live and does not answer.`]
}
