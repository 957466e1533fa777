// `shipway envs extend`: restarts the time until an environment is removed.
import { command, PROJECT_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'

export const envsExtend = command({
  words: [{ name: 'environment', description: 'its name or id' }],
  flags: PROJECT_FLAGS,
  notes:
    'For environments of pull requests in projects with expire_after, whose time a deployment restarts, too; and for those of ' +
    'shipway up, which then stay for a day at least.',
  examples: [
    ['shipway envs extend pr-7 -p bookshop', 'Keep it for another expire_after'],
    ['shipway envs extend up-ada-main -p bookshop', 'Keep your working tree for another day'],
  ],
  run: async (ctx, { words: [name], flags }) => {
    const target = await findTarget(ctx, { project: flags.project, environment: name })
    const client = await ctx.client()
    const environment = await client.extendEnvironment({ params: { id: target.environment.id } })
    const { expires_at: at } = environment
    report(ctx, environment, () => [at ?? ''])
    say(ctx, at === null ? `${targetTitle(target)} does not expire.` : `${targetTitle(target)} stays until then.`)
    return EXIT.done
  },
})
