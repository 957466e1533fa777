// `shipway webhooks list`: the webhooks that the platform sends for a project.
import { command, PROJECT_FLAGS } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { shellWord } from '../../target/command-words.ts'
import { findProject } from '../../target/find-project.ts'
import { listWebhooks } from '../../target/find-webhook.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { webhookState } from '../../webhooks/webhook-state.ts'

export const webhooksList = command({
  flags: PROJECT_FLAGS,
  notes: 'For what the git host sends to the platform, see shipway projects deliveries.',
  examples: [['shipway webhooks list -p bookshop', 'Addresses, events and states']],
  run: async (ctx, { flags }) => {
    const project = await findProject(ctx, flags)
    const hooks = await listWebhooks(await ctx.client(), project.id)
    report(ctx, hooks, () => {
      if (hooks.length === 0)
        return [`No webhooks yet. Add one: shipway webhooks add URL -p ${shellWord(project.name)}`]
      const rows = hooks.map((hook) => [
        String(hook.id),
        plainText(hook.url),
        hook.events.map(plainText).join(', '),
        webhookState(hook),
      ])
      return tableLines({ head: ['ID', 'ADDRESS', 'EVENTS', 'STATE'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
