// Starts a deployment, and reports its start or its end. Shared by deploy, rollback and reset.
import { randomUUID } from 'node:crypto'
import type { Environment, Task } from '@shipway/api'
import { pause } from '@shipway/api/pause'
import { warningsOf } from '@shipway/api/values/task-warnings'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { isApiError } from '../http/api-failure.ts'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { report, say } from '../report.ts'
import { completeCommands } from '../target/command-words.ts'
import type { Target } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { plainText } from '../terminal/sanitize.ts'
import { duration } from '../terminal/times.ts'
import { failureReport } from './failure-report.ts'
import { readTimeout } from './read-timeout.ts'
import { TaskFailed } from './task-failed.ts'
import { waitForTask } from './wait-for-task.ts'

export const WAIT_FLAGS = {
  wait: { short: 'w', description: 'wait for the result; exit code 3 if the deployment fails' },
  timeout: { value: 'duration', description: 'wait no longer than this, such as 90s or 15m; exit code 7' },
} as const

type WaitFlags = { readonly wait: boolean; readonly timeout: string | undefined }

/** Read before anything is asked of the platform, since it may be wrong. Undefined: the command does not wait. */
type Waiting = { readonly timeoutMs: number | undefined } | undefined

export function readWaiting({ wait, timeout }: WaitFlags): Waiting {
  const timeoutMs = readTimeout(timeout, wait)
  return wait ? { timeoutMs } : undefined
}

type NewDeployment = {
  readonly target: Target
  readonly waiting: Waiting
  /** May be sent again with the same key. */
  readonly send: (idempotencyKey: string) => Promise<Task>
}

export async function runDeployment(ctx: Context, { target, waiting, send }: NewDeployment): Promise<ExitCode> {
  const task = await start(ctx, send)
  return followDeployment(ctx, { target, waiting, task })
}

/** Reports the start of a deployment, or waits for its end and reports that. */
export async function followDeployment(
  ctx: Context,
  { target, waiting, task }: Pick<NewDeployment, 'target' | 'waiting'> & { readonly task: Task },
): Promise<ExitCode> {
  if (!waiting) return reportStarted(ctx, target, task)
  return reportEnd(ctx, target, await waitForTask(ctx, { task, title: targetTitle(target), ...waiting }))
}

async function start(ctx: Context, send: NewDeployment['send']): Promise<Task> {
  const idempotencyKey = randomUUID()
  try {
    return await sendIdempotent(() => send(idempotencyKey), ctx.signal)
  } catch (error) {
    throw (await asInProgress(ctx, error)) ?? error
  }
}

/** Names the running task, and its progress. */
export async function asInProgress(ctx: Context, error: unknown): Promise<CommandError | undefined> {
  if (!isApiError(error) || error.code !== 'deployment_in_progress') return undefined
  const { id } = Object(error.problem?.active_task)
  if (typeof id !== 'number') return undefined
  const task = await (await ctx.client()).getTask({ params: { id } })
  const phase = task.phases.findLast(({ status }) => status === 'running')?.name ?? task.status
  const where = `task ${id}, ${plainText(phase)}${task.duration_ms === null ? '' : `, ${duration(task.duration_ms)}`}`
  return new CommandError(`A deployment of this environment is queued or running (${where}).`, {
    code: error.code,
    exitCode: EXIT.conflict,
    advice: [`Watch it: shipway tasks log ${id} -f`],
    fields: { ...error.problem },
  })
}

function reportStarted(ctx: Context, target: Target, task: Task): ExitCode {
  report(ctx, task, () => [
    `Task ${task.id}: ${targetTitle(target)} is ${task.status === 'queued' ? 'queued' : 'being deployed'}`,
    task.url,
  ])
  say(ctx, `Watch it: shipway tasks log ${task.id} -f`)
  return EXIT.done
}

async function reportEnd(ctx: Context, target: Target, task: Task): Promise<ExitCode> {
  const { id } = target.environment
  const client = await ctx.client()
  if (task.status === 'succeeded') {
    const environment = await client.getEnvironment({ params: { id } })
    say(ctx, '', `Deployed in ${duration(task.duration_ms ?? 0)}`)
    for (const warning of warningsOf(task.phases.flatMap(({ steps }) => steps))) {
      say(ctx, ctx.err.paint.amber(`Warning  ${completeCommands(warning, target)}`))
    }
    report(ctx, task, () => [environment.url])
    return EXIT.done
  }
  report(ctx, task, () => [])
  if (ctx.flags.json) throw TaskFailed('deployment', task)
  const found = await client.getDiagnostics({ params: { id } })
  const diagnostics = found.task?.id === task.id ? found : undefined
  const environment = await readAfterHealthCheck(ctx, id)
  say(ctx, '', ...failureReport({ task, diagnostics, target: { ...target, environment }, paint: ctx.err.paint }))
  return EXIT.deploymentFailed
}

/** Waits until the platform has checked whether the environment still answers, which it does right after a deployment. */
async function readAfterHealthCheck(ctx: Context, id: number): Promise<Environment> {
  const client = await ctx.client()
  const until = performance.now() + HEALTH_CHECK_MS
  for (;;) {
    const environment = await client.getEnvironment({ params: { id } })
    const isKnown = environment.live === null || environment.live.answers !== null || environment.services.length === 0
    // An unreachable server cannot be checked.
    const isUnknown = environment.services.some(({ state }) => state === 'unknown')
    if (isKnown || isUnknown || environment.active_task !== null || performance.now() > until) return environment
    await pause(POLL_MS, ctx.signal)
  }
}

/** The platform waits five seconds for a service that does not answer, and a busy platform checks late. */
const HEALTH_CHECK_MS = 30_000
const POLL_MS = 250
