// `shipway envs watch`: mails you when a deployment of an environment fails, and when one succeeds again.
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'

export const envsWatch = command({
  words: [{ name: '[environment]', description: 'its name or id (default: the one that follows the branch)' }],
  flags: { ...TARGET_FLAGS, off: { description: 'no more mails' } },
  examples: [
    ['shipway envs watch staging -p bookshop', 'Get a mail when a deployment fails'],
    ['shipway envs watch staging -p bookshop --off', 'No more mails'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const target = await findTarget(ctx, { project: flags.project, environment: word ?? flags.environment })
    const client = await ctx.client()
    const params = { id: target.environment.id }
    await (flags.off ? client.unwatchEnvironment({ params }) : client.watchEnvironment({ params }))
    const title = targetTitle(target)
    report(ctx, { environment_id: params.id, watched: !flags.off }, () => [
      flags.off ? `You no longer watch ${title}` : `You get a mail when a deployment of ${title} fails`,
    ])
    return EXIT.done
  },
})
