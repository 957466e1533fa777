// `shipway webhooks remove`: deletes a webhook with its deliveries.
import { command, PROJECT_FLAGS, YES_FLAG } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findWebhook } from '../../target/find-webhook.ts'
import { confirm } from '../../terminal/confirm.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const webhooksRemove = command({
  words: [{ name: 'webhook', description: 'its id or address' }],
  flags: { ...PROJECT_FLAGS, ...YES_FLAG },
  examples: [
    ['shipway webhooks remove 4', 'Asks first'],
    ['shipway webhooks remove https://example.com/hook -p bookshop --yes', 'For a script'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const hook = await findWebhook(ctx, flags, wanted)
    const name = `${hook.id} to ${plainText(hook.url)}`
    await confirm(ctx, flags, {
      consequence: `The webhook ${name} would be deleted`,
      question: `Delete the webhook ${name} with its deliveries?`,
      refusal: 'Nothing was deleted',
    })
    await (await ctx.client()).deleteHook({ params: { id: hook.id } })
    report(ctx, { id: hook.id, deleted: true }, () => [`Deleted the webhook ${name}`])
    return EXIT.done
  },
})
