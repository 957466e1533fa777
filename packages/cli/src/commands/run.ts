// `shipway run`: runs a one-off command in a new container of what serves.
import { randomUUID } from 'node:crypto'
import type { Task } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { type Ending, EXIT } from '../exit-code.ts'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { report, say } from '../report.ts'
import { openTerminal } from '../ssh/open-terminal.ts'
import { findTarget } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { verdict } from '../tasks/failure-report.ts'
import { readTimeout } from '../tasks/read-timeout.ts'
import { TaskFailed } from '../tasks/task-failed.ts'
import { waitForTask } from '../tasks/wait-for-task.ts'
import { duration } from '../terminal/times.ts'

export const run = command({
  words: [{ name: 'command...', description: 'program and its arguments, after --' }],
  flags: {
    ...TARGET_FLAGS,
    service: {
      short: 's',
      value: 'service',
      description: 'like the container of this service (default: the main one)',
    },
    detach: { short: 'd', description: 'run it as a task with a log, and return at once' },
    wait: { short: 'w', description: 'with --detach: wait for the result; exit code of the command' },
    timeout: { value: 'duration', description: 'wait no longer than this, such as 90s or 15m; exit code 7' },
  },
  notes:
    'For admins; in a protected environment for its owner. The container has the image, variables, networks and volumes of the ' +
    'service, gets no requests, and is gone afterwards. The audit log keeps the words.\n' +
    'Without --detach the command gets this terminal, or its pipes: over ssh by a certificate that is good for this command alone, or ' +
    "through the platform on the platform's own machine. It ends with the connection. Exits with the exit code of the command, and with " +
    '255 if the connection fails.\n' +
    "The words are run as they are. For pipes and variables, use a shell: -- sh -c 'echo $HOME'.",
  examples: [
    ['shipway run -e staging -- rails console', 'With this terminal'],
    [
      "shipway run -e staging -s db -- sh -c 'PGPASSWORD=$POSTGRES_PASSWORD pg_dump -h db -U app app' > dump.sql",
      'Into a file; pipes work in both directions',
    ],
    ['shipway run -e staging --detach -- npm run migrate', 'Start it as a task'],
    ['shipway run -e staging -s web --detach --wait -- npm run report', 'Wait for it, with its output'],
  ],
  run: async (ctx, { words, flags }) => {
    const timeoutMs = readTimeout(flags.timeout, flags.wait)
    if (flags.wait && !flags.detach)
      throw UsageError('--wait needs --detach', 'Without --detach you see the output anyway')
    const target = await findTarget(ctx, flags)
    if (!flags.detach) return openTerminal(ctx, { target, words, service: flags.service })
    const client = await ctx.client()
    const idempotencyKey = randomUUID()
    const body = { command: [...words], ...(flags.service !== undefined && { service: flags.service }) }
    const request = { params: { id: target.environment.id }, body, idempotencyKey }
    const task = await sendIdempotent(() => client.startRun(request), ctx.signal)
    if (!flags.wait) return reportStarted(ctx, task)
    const about = { task, title: targetTitle(target), timeoutMs, showsOutput: true }
    return reportEnd(ctx, await waitForTask(ctx, about))
  },
})

function reportStarted(ctx: Context, task: Task): Ending {
  report(ctx, task, () => [`Task ${task.id}: the command is ${task.status}`, task.url])
  say(ctx, `Watch it: shipway tasks log ${task.id} -f`)
  return EXIT.done
}

/** A command that ended by itself decides the exit code; a task that did not come so far has that of a failed one. */
function reportEnd(ctx: Context, task: Task): Ending {
  const code = task.failed_step?.phase === 'Run' ? task.failed_step.exit_code : null
  if (task.status === 'succeeded') say(ctx, '', `Ran in ${duration(task.duration_ms ?? 0)}`)
  report(ctx, task, () => [])
  if (task.status === 'succeeded') return EXIT.done
  if (code !== null) {
    say(ctx, '', ctx.err.paint.failed(verdict(task)))
    return { passedOn: code }
  }
  if (ctx.flags.json) throw TaskFailed('run', task)
  say(ctx, '', ctx.err.paint.failed(verdict(task)), '', `Log   shipway tasks log ${task.id}`)
  return EXIT.deploymentFailed
}
