// `shipway webhooks deliveries`: the last messages to a webhook, and whether they arrived.
import type { HookDelivery } from '@shipway/api'
import { command, PROJECT_FLAGS } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findWebhook } from '../../target/find-webhook.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { ago, fromNow } from '../../terminal/times.ts'

const MOST = 50

export const webhooksDeliveries = command({
  words: [{ name: 'webhook', description: 'its id or address' }],
  flags: PROJECT_FLAGS,
  notes: `The last ${MOST}, newest first.`,
  examples: [['shipway webhooks deliveries 4', 'What was sent, and what the receiver answered']],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const { id } = await findWebhook(ctx, flags, wanted)
    const deliveries = await (await ctx.client()).listHookDeliveries({ params: { id }, query: { limit: MOST } })
    report(ctx, deliveries, () => {
      if (deliveries.length === 0) return ['Nothing was sent yet']
      const head = ['ID', 'WHEN', 'EVENT', 'STATE', 'ATTEMPTS', 'ANSWER']
      return tableLines({ head, rows: deliveries.map(rowOf) }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

function rowOf(delivery: HookDelivery): string[] {
  const { status, next_attempt_at: next, response_status: code, response_text: text, error } = delivery
  const answer = error ?? (code === null ? '' : `${code} ${text ?? ''}`)
  return [
    String(delivery.id),
    ago(delivery.created_at),
    plainText(delivery.event),
    status === 'pending' && next !== null && delivery.attempts > 0 ? `again ${fromNow(next)}` : status,
    String(delivery.attempts),
    plainText(answer),
  ]
}
