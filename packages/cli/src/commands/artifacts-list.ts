// `shipway artifacts list`: lists the artifacts of an action run.
import type { Artifact, Task } from '@shipway/api'
import { fileSize } from '../artifacts/file-size.ts'
import { command, TARGET_FLAGS } from '../command.ts'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { targetWords } from '../target/command-words.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { findTask } from '../tasks/find-task.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { fromNow } from '../terminal/times.ts'

export const artifactsList = command({
  words: [{ name: '[task]', description: 'the task number of the run, or `latest` for the newest run' }],
  flags: TARGET_FLAGS,
  examples: [
    ['shipway artifacts list 1487', 'Files of task 1487'],
    ['shipway artifacts list latest -e staging --json', 'Files of the newest run in staging, for a script'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    const task = await findActionRun(ctx, text, flags)
    const client = await ctx.client()
    const artifacts = await client.listArtifacts({ params: { id: task.id }, query: { limit: MOST_LISTED } })
    report(ctx, artifacts, () => {
      if (artifacts.length === 0) return [`Task ${task.id} wrote no files.`]
      return tableLines({ head: HEAD, rows: artifacts.map(rowOf) }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

/** By the number of its task, or the newest run of the environment. */
async function findActionRun(ctx: Context, text: string | undefined, flags: TargetFlags): Promise<Task> {
  if (text !== undefined && text !== 'latest') return findTask(ctx, text, flags)
  const target = await findTarget(ctx, flags)
  const { environment } = target
  const query = { kind: 'action', limit: 1 } as const
  const [newest] = await (await ctx.client()).listTasks({ params: { id: environment.id }, query })
  if (newest) return newest
  throw new CommandError(`No action has run in ${plainText(environment.name)} yet`, {
    code: 'task_not_found',
    exitCode: EXIT.notFound,
    advice: [`See which there are: shipway actions list ${targetWords(target)}`],
  })
}

const MOST_LISTED = 200
const HEAD = ['ARTIFACT', 'FILE', 'SIZE', 'EXPIRES']

const rowOf = ({ id, path, size, expires_at: expires }: Artifact): string[] => [
  String(id),
  plainText(path),
  fileSize(size),
  Date.parse(expires) <= Date.now() ? 'expired' : fromNow(expires),
]
