// `shipway projects deliveries`: what the git host delivered to a project, and what came of it.
import { command, PROJECT_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findProject } from '../target/find-project.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'

const MOST = 50

export const projectsDeliveries = command({
  words: [{ name: '[project]', description: 'its name or id (default: the linked one)' }],
  flags: PROJECT_FLAGS,
  notes: `The last ${MOST}. For webhooks that the platform sends, see shipway webhooks deliveries.`,
  examples: [['shipway projects deliveries bookshop', 'Why a push did not deploy']],
  run: async (ctx, { words: [word], flags }) => {
    const project = await findProject(ctx, { project: word ?? flags.project })
    const deliveries = await (await ctx.client()).listDeliveries({ params: { id: project.id }, query: { limit: MOST } })
    report(ctx, deliveries, () => {
      if (deliveries.length === 0) return ['Nothing was delivered yet']
      const rows = deliveries.map((delivery) => [
        ago(delivery.received_at),
        plainText(delivery.event),
        delivery.pull_request === null ? plainText(delivery.branch ?? '') : `#${delivery.pull_request}`,
        plainText(delivery.environment?.name ?? ''),
        delivery.verdict,
        plainText(delivery.detail ?? delivery.reason ?? ''),
      ])
      return tableLines({ head: HEAD, rows }, ctx.out.size()?.columns)
    })
    const hint = deliveries.find((delivery) => delivery.hint !== null)?.hint
    if (hint) say(ctx, '', plainText(hint))
    return EXIT.done
  },
})

const HEAD = ['RECEIVED', 'EVENT', 'OF', 'ENVIRONMENT', 'RESULT', 'WHY']
