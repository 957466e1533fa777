// `shipway artifacts list`: the files that a run of an action left.
import type { Artifact } from '@shipway/api'
import { fileSize } from '../artifacts/file-size.ts'
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findActionRun } from '../tasks/find-action-run.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { untilThen } from '../terminal/times.ts'

export const artifactsList = command({
  words: [{ name: '[task]', description: 'the number of the run, or `latest` for the newest of the environment' }],
  flags: TARGET_FLAGS,
  examples: [
    ['shipway artifacts list 1487', 'What task 1487 left'],
    ['shipway artifacts list latest -e staging --json', 'What the newest run in staging left, for a script'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    const task = await findActionRun(ctx, text, flags)
    const client = await ctx.client()
    const artifacts = await client.listArtifacts({ params: { id: task.id }, query: { limit: MOST_LISTED } })
    report(ctx, artifacts, () => {
      if (artifacts.length === 0) return [`Task ${task.id} left none.`]
      return tableLines({ head: HEAD, rows: artifacts.map(rowOf) }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

const MOST_LISTED = 200
const HEAD = ['ARTIFACT', 'FILE', 'SIZE', 'KEPT']

const rowOf = ({ id, path, size, expires_at: expires }: Artifact): string[] => [
  String(id),
  plainText(path),
  fileSize(size),
  Date.parse(expires) <= Date.now() ? 'expired' : untilThen(expires),
]
