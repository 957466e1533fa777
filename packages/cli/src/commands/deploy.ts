// `shipway deploy`: starts a deployment, and waits for it with --wait.
import { randomUUID } from 'node:crypto'
import type { Environment, Task } from '@shipway/api'
import { pause } from '@shipway/api/pause'
import { warningsOf } from '@shipway/api/values/task-warnings'
import { command, TARGET_FLAGS } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { isApiError } from '../http/api-failure.ts'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { report, say } from '../report.ts'
import { completeCommands } from '../target/command-words.ts'
import { findTarget, type Target } from '../target/find-environment.ts'
import { failureReport, verdict } from '../tasks/failure-report.ts'
import { readTimeout } from '../tasks/read-timeout.ts'
import { waitForTask } from '../tasks/wait-for-task.ts'
import { plainText } from '../terminal/sanitize.ts'
import { duration } from '../terminal/times.ts'

export const deploy = command({
  flags: {
    ...TARGET_FLAGS,
    commit: { value: 'sha', description: 'commit to deploy (all 40 digits; default: the newest of the branch)' },
    branch: {
      value: 'branch',
      description: "deploy the newest commit of this branch once, instead of the environment's",
    },
    wait: { short: 'w', description: 'wait for the result; exit code 3 if the deployment fails' },
    timeout: { value: 'duration', description: 'wait no longer than this, such as 90s or 15m; exit code 7' },
  },
  notes:
    'With a file .shipway ({"project": "bookshop"}) in the repository you can leave out -p and -e: the environment is then\n' +
    'the one that follows the current branch. Ctrl-C while waiting detaches; the deployment goes on.',
  examples: [
    ['shipway deploy -p bookshop -e staging', 'Start a deployment'],
    ['shipway deploy -p bookshop -e staging --branch hotfix', 'Deploy another branch once'],
    ['url=$(shipway deploy --wait)', 'Wait for it; the address is all that goes to standard output'],
    ['shipway deploy -e pr-214 --wait --timeout 15m --json', 'For a script'],
  ],
  run: async (ctx, { flags }) => {
    const timeoutMs = readTimeout(flags.timeout, flags.wait)
    const commit = flags.commit === undefined ? undefined : readSha(flags.commit)
    const { branch } = flags
    const target = await findTarget(ctx, flags)
    const task = await start(ctx, target.environment, { ...(commit && { commit }), ...(branch && { branch }) })
    if (!flags.wait) return reportStarted(ctx, target, task)
    return reportEnd(ctx, target, await waitForTask(ctx, { task, title: titleOf(target), timeoutMs }))
  },
})

const titleOf = ({ project, environment }: Target): string =>
  `${plainText(project.name)} / ${plainText(environment.name)}`

function readSha(text: string): string {
  if (/^[0-9a-f]{40}$/.test(text)) return text
  throw UsageError(
    `--commit ${plainText(text)} is not a full commit`,
    'Give all 40 digits: --commit $(git rev-parse HEAD)',
  )
}

/** Without any of them: the newest commit of the environment's branch. */
type Source = { readonly commit?: string; readonly branch?: string }

async function start(ctx: Context, { id }: Environment, body: Source): Promise<Task> {
  const client = await ctx.client()
  const idempotencyKey = randomUUID()
  try {
    return await sendIdempotent(() => client.startDeployment({ params: { id }, body, idempotencyKey }), ctx.signal)
  } catch (error) {
    throw (await asInProgress(ctx, error)) ?? error
  }
}

/** Names the running task, and its progress. */
async function asInProgress(ctx: Context, error: unknown): Promise<CommandError | undefined> {
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
    `Task ${task.id}: ${titleOf(target)} is ${task.status === 'queued' ? 'queued' : 'being deployed'}`,
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
  if (ctx.flags.json) throw Failed(task)
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

/** The platform waits five seconds for a service that does not answer. */
const HEALTH_CHECK_MS = 8_000
const POLL_MS = 250

const Failed = (task: Task): CommandError =>
  new CommandError(verdict(task), {
    code: `deployment_${task.status}`,
    exitCode: EXIT.deploymentFailed,
    fields: { task_id: task.id, failed_step: task.failed_step, reason: task.reason },
  })
