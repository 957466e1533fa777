// `shipway webhooks edit`: changes a webhook, or turns it off and on.
import { command, PROJECT_FLAGS } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { changedNames, changesOf, readChoice, readSwitch, switchFlag } from '../../settings.ts'
import { findWebhook } from '../../target/find-webhook.ts'
import { EVENTS } from '../../webhooks/webhook-state.ts'

export const webhooksEdit = command({
  words: [{ name: 'webhook', description: 'its id or address' }],
  flags: {
    ...PROJECT_FLAGS,
    address: { value: 'address', description: 'where messages are sent' },
    event: { value: 'event', isRepeatable: true, choices: EVENTS, description: 'which events; replaces all' },
    enabled: switchFlag('turn it on or off; what waits for one that is off is given up'),
  },
  examples: [
    ['shipway webhooks edit 4 --enabled on', 'Turn it on again'],
    ['shipway webhooks edit 4 --event deployment.failed', 'Failures only'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const { id } = await findWebhook(ctx, flags, wanted)
    const changes = changesOf({
      url: flags.address,
      events: flags.event.length === 0 ? undefined : flags.event.flatMap((each) => readChoice(EVENTS, each) ?? []),
      enabled: readSwitch(flags.enabled),
    })
    const hook = await (await ctx.client()).updateHook({ params: { id }, body: changes })
    report(ctx, hook, () => [`Changed ${changedNames(changes)} of webhook ${hook.id}`])
    return EXIT.done
  },
})
