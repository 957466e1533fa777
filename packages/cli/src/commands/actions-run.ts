// `shipway actions run`: runs an action, and waits for it with --wait.
import { randomUUID } from 'node:crypto'
import type { Artifact, Task } from '@shipway/api'
import { fileSize } from '../artifacts/file-size.ts'
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { report, say } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { verdict } from '../tasks/failure-report.ts'
import { readTimeout } from '../tasks/read-timeout.ts'
import { TaskFailed } from '../tasks/task-failed.ts'
import { waitForTask } from '../tasks/wait-for-task.ts'
import { plainText } from '../terminal/sanitize.ts'
import { duration } from '../terminal/times.ts'

export const actionsRun = command({
  words: [{ name: 'action', description: 'its name in .service.yml' }],
  flags: {
    ...TARGET_FLAGS,
    wait: { short: 'w', description: 'wait for the result; exit code 3 if the action fails' },
    timeout: { value: 'duration', description: 'wait no longer than this, such as 90s or 15m; exit code 7' },
  },
  notes:
    'While waiting, its output goes to standard error; the result is the list of its files.\n' +
    'Ctrl-C detaches; the action goes on.',
  examples: [
    ['shipway actions run dump -e staging --wait', 'Run it and wait for its files'],
    ['shipway actions run migrate -e staging --wait --timeout 10m --json', 'For a script'],
  ],
  run: async (ctx, { words: [name], flags }) => {
    if (name === undefined) throw UsageError('Give the name of an action', 'List them: shipway actions list')
    const timeoutMs = readTimeout(flags.timeout, flags.wait)
    const { project, environment } = await findTarget(ctx, flags)
    const client = await ctx.client()
    const idempotencyKey = randomUUID()
    const params = { id: environment.id, name }
    const task = await sendIdempotent(() => client.runAction({ params, idempotencyKey }), ctx.signal)
    if (!flags.wait) return reportStarted(ctx, task)
    const title = [project.name, environment.name, name].map(plainText).join(' / ')
    return reportEnd(ctx, await waitForTask(ctx, { task, title, timeoutMs, showsOutput: true }))
  },
})

function reportStarted(ctx: Context, task: Task): ExitCode {
  report(ctx, task, () => [`Task ${task.id}: ${plainText(task.action ?? '')} is ${task.status}`, task.url])
  say(ctx, `Watch it: shipway tasks log ${task.id} -f`)
  return EXIT.done
}

async function reportEnd(ctx: Context, task: Task): Promise<ExitCode> {
  if (task.status !== 'succeeded') {
    report(ctx, task, () => [])
    if (ctx.flags.json) throw TaskFailed('action', task)
    say(ctx, '', ctx.err.paint.failed(verdict(task)), '', `Log   shipway tasks log ${task.id}`)
    return EXIT.deploymentFailed
  }
  const artifacts = await (await ctx.client()).listArtifacts({ params: { id: task.id }, query: { limit: MOST_SHOWN } })
  say(ctx, '', `Ran in ${duration(task.duration_ms ?? 0)}`)
  report(ctx, { ...task, artifacts }, () => artifacts.map(lineOf))
  if (artifacts.length > 0) say(ctx, '', `Download one: shipway artifacts get ${artifacts[0]?.id}`)
  return EXIT.done
}

const MOST_SHOWN = 200

const lineOf = ({ id, path, size }: Artifact): string => `${id}  ${plainText(path)}  ${fileSize(size)}`
