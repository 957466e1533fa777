// `shipway webhooks test`: sends a test message to a webhook.
import { command, PROJECT_FLAGS } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report, say } from '../../report.ts'
import { findWebhook } from '../../target/find-webhook.ts'

export const webhooksTest = command({
  words: [{ name: 'webhook', description: 'its id or address' }],
  flags: PROJECT_FLAGS,
  notes: 'Returns before the message is sent. The list of deliveries says whether it arrived.',
  examples: [['shipway webhooks test 4', 'Send a message of the type hook.test']],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const { id } = await findWebhook(ctx, flags, wanted)
    const delivery = await (await ctx.client()).testHook({ params: { id } })
    report(ctx, delivery, () => [`Delivery ${delivery.id} is on its way`])
    say(ctx, `shipway webhooks deliveries ${id}`)
    return EXIT.done
  },
})
