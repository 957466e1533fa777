// `shipway webhooks add`: sends events of a project to an address.
import { command, PROJECT_FLAGS } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report, say } from '../../report.ts'
import { readChoice } from '../../settings.ts'
import { findProject } from '../../target/find-project.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { EVENTS } from '../../webhooks/webhook-state.ts'

export const webhooksAdd = command({
  words: [{ name: 'address', description: 'where messages are sent, such as https://example.com/hook' }],
  flags: {
    ...PROJECT_FLAGS,
    event: { value: 'event', isRepeatable: true, choices: EVENTS, description: 'which events (default: all)' },
  },
  examples: [
    ['shipway webhooks add https://example.com/hook -p bookshop', 'All events'],
    ['shipway webhooks add https://example.com/hook -p bookshop --event deployment.failed', 'Failures only'],
  ],
  run: async (ctx, { words: [url = ''], flags }) => {
    const project = await findProject(ctx, flags)
    const events = flags.event.flatMap((each) => readChoice(EVENTS, each) ?? [])
    const hook = await (await ctx.client()).createHook({
      params: { id: project.id },
      body: { url, ...(events.length > 0 && { events }) },
    })
    report(ctx, hook, () => [`Webhook ${hook.id} to ${plainText(hook.url)}`, '', plainText(hook.secret)])
    say(ctx, '', 'Messages are signed with that secret. It is shown only once.', `shipway webhooks test ${hook.id}`)
    return EXIT.done
  },
})
