// `shipway alerts`: what is wrong now, and what was.
import type { Alert } from '@shipway/api'
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findOwnOrganization } from '../target/find-own-organization.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago, duration } from '../terminal/times.ts'

const MOST = 100

export const alerts = command({
  flags: { all: { description: `resolved ones too, at most ${MOST}` } },
  examples: [
    ['shipway alerts', 'What is wrong now'],
    ['shipway alerts --all', 'The latest, resolved ones too'],
    ['shipway alerts --json | jq length', 'How many are open'],
  ],
  run: async (ctx, { flags }) => {
    const client = await ctx.client()
    const id = await findOwnOrganization(ctx, client)
    const found = await client.listAlerts({
      params: { id },
      query: { limit: MOST, ...(!flags.all && { state: 'open' }) },
    })
    report(ctx, found, () => {
      if (found.length === 0) return [flags.all ? 'No alerts yet' : 'Nothing is wrong']
      const open = found.filter(({ resolved_at }) => resolved_at === null)
      const rows = [...open, ...found.filter((alert) => !open.includes(alert))].map(rowOf)
      return tableLines({ head: ['STATE', 'SUBJECT', 'OPENED', 'WHAT'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

function rowOf({ severity, subject, opened_at, resolved_at, message, is_silenced }: Alert): readonly string[] {
  const state =
    resolved_at === null
      ? `${severity}${is_silenced ? ' · silenced' : ''}`
      : `resolved · ${duration(Date.parse(resolved_at) - Date.parse(opened_at))}`
  return [state, plainText(subject), ago(opened_at), plainText(message)]
}
