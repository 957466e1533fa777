// `shipway webhooks rotate`: replaces the secret that messages are signed with.
import { command, PROJECT_FLAGS } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report, say } from '../../report.ts'
import { findWebhook } from '../../target/find-webhook.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { fromNow } from '../../terminal/times.ts'

export const webhooksRotate = command({
  words: [{ name: 'webhook', description: 'its id or address' }],
  flags: PROJECT_FLAGS,
  notes: 'For a day, messages are signed with the earlier secret too, so that none is lost.',
  examples: [['shipway webhooks rotate 4', 'A new secret, shown only once']],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const { id } = await findWebhook(ctx, flags, wanted)
    const made = await (await ctx.client()).regenerateHookSecret({ params: { id } })
    report(ctx, made, () => [plainText(made.secret)])
    say(ctx, '', `It is shown only once. The earlier one is valid until ${fromNow(made.earlier_valid_until)}.`)
    return EXIT.done
  },
})
