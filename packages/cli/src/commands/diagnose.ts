// `shipway diagnose`: explains the most recent failed deployment.
import type { Diagnostics } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { completeCommands } from '../target/command-words.ts'
import { findTarget } from '../target/find-environment.ts'
import { failureReport } from '../tasks/failure-report.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { Paint } from '../terminal/sink.ts'
import { ago } from '../terminal/times.ts'

export const diagnose = command({
  flags: TARGET_FLAGS,
  notes: 'Shows the failed step, the end of its output, and hints, even if a later deployment succeeded.',
  examples: [
    ['shipway diagnose', 'In a repository with a file .shipway'],
    ['shipway diagnose -p bookshop -e pr-214 --json', 'For a script'],
  ],
  run: async (ctx, { flags }) => {
    const target = await findTarget(ctx, flags)
    const { project, environment } = target
    const client = await ctx.client()
    const diagnostics = await client.getDiagnostics({ params: { id: environment.id } })
    report(ctx, diagnostics, () => {
      const title = `${plainText(project.name)} / ${plainText(environment.name)}`
      const { task } = diagnostics
      if (!task) {
        return [
          `No deployment of ${title} has failed.`,
          ...diagnostics.hints.map((hint) => `Hint  ${completeCommands(hint, target)}`),
        ]
      }
      return [
        `${title} · task ${task.id} · ${ago(task.finished_at)}${sinceThen(diagnostics, ctx.out.paint)}`,
        '',
        ...failureReport({ task, diagnostics, target, paint: ctx.out.paint }),
      ]
    })
    return EXIT.done
  },
})

function sinceThen({ is_latest, latest_task: latest }: Diagnostics, paint: Paint): string {
  if (is_latest || !latest) return ''
  return paint.amber(` · newer task ${latest.id}: ${latest.status}`)
}
