// `shipway projects rotate`: replaces the deploy key or the webhook secret of a project.
import type { Client, Project } from '@shipway/api'
import { command, PROJECT_FLAGS, YES_FLAG } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { readChoice } from '../settings.ts'
import { findProject } from '../target/find-project.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/sanitize.ts'

const CREDENTIALS = ['key', 'secret'] as const

export const projectsRotate = command({
  words: [{ name: 'credential', description: 'key: the deploy key; secret: the webhook secret' }],
  flags: { ...PROJECT_FLAGS, ...YES_FLAG },
  notes:
    'The old key stops working at once. The old secret stays valid until the first delivery that is signed with the new one.',
  examples: [
    ['shipway projects rotate key -p bookshop', 'A new deploy key; asks first'],
    ['shipway projects rotate secret -p bookshop --yes', 'A new webhook secret, shown only once'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const credential = readChoice(CREDENTIALS, word)
    if (credential === undefined) throw UsageError(`Give one of ${CREDENTIALS.join(', ')}`)
    const project = await findProject(ctx, flags)
    const what = `the ${credential === 'key' ? 'deploy key' : 'webhook secret'} of ${plainText(project.name)}`
    await confirm(ctx, flags, {
      consequence: `${what[0]?.toUpperCase()}${what.slice(1)} would be replaced`,
      question: `Replace ${what}?`,
      refusal: 'Nothing was replaced',
    })
    await ROTATE[credential](ctx, await ctx.client(), project)
    return EXIT.done
  },
})

const ROTATE = {
  key: async (ctx: Context, client: Client, { id }: Project) => {
    const key = await client.regenerateRepositoryKey({ params: { id } })
    report(ctx, key, () => [plainText(key.repository_key)])
    say(ctx, '', 'Add this key to the git host before the next deployment.')
  },
  secret: async (ctx: Context, client: Client, { id }: Project) => {
    const webhook = await client.regenerateWebhookSecret({ params: { id } })
    report(ctx, webhook, () => [plainText(webhook.secret)])
    say(ctx, '', `Set it at the git host, for ${plainText(webhook.url)}. It is shown only once.`)
  },
} as const
