// `shipway webhooks redeliver`: sends a message again, with the same id.
import { command, PROJECT_FLAGS } from '../../command.ts'
import { UsageError } from '../../command-error.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { readId } from '../../target/find-by-name.ts'
import { findWebhook } from '../../target/find-webhook.ts'

export const webhooksRedeliver = command({
  words: [
    { name: 'webhook', description: 'its id or address' },
    { name: 'delivery', description: 'its number, as in shipway webhooks deliveries' },
  ],
  flags: PROJECT_FLAGS,
  examples: [['shipway webhooks redeliver 4 117', 'Send delivery 117 again']],
  run: async (ctx, { words: [wanted = '', text = ''], flags }) => {
    const number = readId(text)
    if (number === undefined)
      throw UsageError('Give the number of a delivery', 'List them: shipway webhooks deliveries')
    const { id } = await findWebhook(ctx, flags, wanted)
    const delivery = await (await ctx.client()).redeliverHook({ params: { id, delivery_id: number } })
    report(ctx, delivery, () => [`Delivery ${delivery.id} is on its way`])
    return EXIT.done
  },
})
