// `shipway tasks list`: lists the tasks of an environment, newest first.
import type { Client, Task } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { report } from '../report.ts'
import { readId } from '../target/find-by-name.ts'
import { findTarget } from '../target/find-environment.ts'
import { taskTitle } from '../tasks/task-title.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago, duration } from '../terminal/times.ts'
import { cutTo } from '../terminal/width.ts'

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const
const KINDS = ['deploy', 'remove', 'reset', 'action', 'run'] as const

export const tasksList = command({
  flags: {
    ...TARGET_FLAGS,
    status: { value: 'status', choices: STATUSES, description: 'only tasks with this status' },
    kind: { value: 'kind', choices: KINDS, description: 'only tasks of this kind' },
    active: { description: 'what is queued or running now, in all projects' },
    limit: { value: 'number', description: 'how many, at most 200 (default: 20)' },
  },
  examples: [
    ['shipway tasks list -e staging', 'The last 20'],
    ['shipway tasks list --active', 'What is queued or running now, in all projects'],
    ['shipway tasks list -e staging --kind deploy --status failed --json', 'Deployments that failed, for a script'],
  ],
  run: async (ctx, { flags }) => {
    const limit = readId(flags.limit ?? '20')
    if (limit === undefined || limit > 200) throw UsageError('--limit is a number from 1 to 200')
    if (flags.active) return listActive(ctx, await ctx.client())
    const { environment } = await findTarget(ctx, flags)
    const status = STATUSES.find((each) => each === flags.status)
    const kind = KINDS.find((each) => each === flags.kind)
    const query = { limit, ...(status && { status }), ...(kind && { kind }) }
    const tasks = await (await ctx.client()).listTasks({ params: { id: environment.id }, query })
    report(ctx, tasks, () => {
      if (tasks.length === 0) return ['No tasks found.']
      return tableLines({ head: HEAD, rows: tasks.map(rowOf) }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

async function listActive(ctx: Context, client: Client): Promise<ExitCode> {
  const tasks = await client.listActiveTasks()
  report(ctx, tasks, () => {
    if (tasks.length === 0) return ['Nothing is queued or running']
    const rows = tasks.map((task) => {
      const [id, kind, state, commit, startedBy, when] = rowOf(task)
      const where = `${plainText(task.project.name)} / ${plainText(task.environment.name)}`
      return [id ?? '', where, kind ?? '', state ?? '', commit ?? '', startedBy ?? '', when ?? '']
    })
    const head = ['TASK', 'ENVIRONMENT', 'KIND', 'STATE', 'COMMIT', 'STARTED BY', 'WHEN']
    return tableLines({ head, rows }, ctx.out.size()?.columns)
  })
  return EXIT.done
}

/** A one-off command may have thousands of characters. */
const MOST_TITLE = 60

const HEAD = ['TASK', 'KIND', 'STATE', 'COMMIT', 'STARTED BY', 'WHEN', 'TOOK']

function rowOf(task: Task): string[] {
  const commit = task.commit
    ? `${task.commit.sha.slice(0, 7)} ${plainText(task.commit.message?.split('\n', 1)[0] ?? '')}`
    : ''
  return [
    String(task.id),
    cutTo(taskTitle(task), MOST_TITLE),
    task.failed_step ? `${task.status} · ${plainText(task.failed_step.name)}` : task.status,
    commit.trim(),
    task.started_by ? plainText(task.started_by.name) : task.cause.replace('_', ' '),
    ago(task.created_at),
    task.duration_ms === null ? '' : duration(task.duration_ms),
  ]
}
