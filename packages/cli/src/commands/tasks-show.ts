// `shipway tasks show`: a task with its phases and steps.
import type { Task } from '@shipway/api'
import { warningsOf } from '@shipway/api/values/task-warnings'
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { verdict } from '../tasks/failure-report.ts'
import { findTask } from '../tasks/find-task.ts'
import { taskTitle } from '../tasks/task-title.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { Paint } from '../terminal/sink.ts'
import { ago, duration } from '../terminal/times.ts'
import { pad } from '../terminal/width.ts'

export const tasksShow = command({
  words: [{ name: '[task]', description: 'its number (default: the newest task of the environment)' }],
  flags: TARGET_FLAGS,
  examples: [
    ['shipway tasks show 1487', 'Its phases and steps, with times'],
    ['shipway tasks show -e staging --json', 'The newest task of staging, for a script'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    const task = await findTask(ctx, text, flags)
    report(ctx, task, () => linesOf(task, ctx.out.paint))
    return EXIT.done
  },
})

function linesOf(task: Task, paint: Paint): string[] {
  const { commit, started_by: person } = task
  return [
    `task ${task.id} · ${taskTitle(task)} · ${stateOf(task, paint)}`,
    ...(commit ? [`${commit.sha.slice(0, 7)} ${plainText(commit.message?.split('\n', 1)[0] ?? '')}`] : []),
    `${person ? `started by ${plainText(person.name)}` : 'started'} · ${task.cause.replace('_', ' ')} · ${ago(task.created_at)}`,
    task.url,
    '',
    ...task.phases.flatMap((phase) => [
      partLine(phase, '', paint),
      ...phase.steps.map((step) => partLine(step, '  ', paint)),
    ]),
    ...warningsOf(task.phases.flatMap(({ steps }) => steps)).map((warning) =>
      paint.amber(`Warning  ${plainText(warning)}`),
    ),
    ...(task.status === 'failed' || task.status === 'canceled' ? ['', paint.failed(verdict(task))] : []),
  ]
}

function stateOf({ status, duration_ms: ms }: Task, paint: Paint): string {
  const color = status === 'failed' ? paint.failed : status === 'running' ? paint.accent : (text: string) => text
  return color(ms === null ? status : `${status} · ${duration(ms)}`)
}

type Part = Pick<Task['phases'][number], 'name' | 'status' | 'duration_ms'>

function partLine({ name, status, duration_ms: ms }: Part, indent: string, paint: Paint): string {
  const line = `  ${indent}${SIGNS[status] ?? '·'} ${pad(plainText(name), 36 - indent.length)}${ms === null ? '' : duration(ms).padStart(8)}`
  return status === 'failed' ? paint.failed(line) : line.trimEnd()
}

const SIGNS: Readonly<Record<Part['status'], string>> = {
  pending: '·',
  running: '›',
  succeeded: '✓',
  failed: '✗',
  skipped: '·',
  canceled: '·',
}
