// `shipway envs show`: an environment, its settings, and how it is doing.
import { command, TARGET_FLAGS } from '../command.ts'
import { environmentLines } from '../environments/environment-lines.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { targetWords } from '../target/command-words.ts'
import { findTarget } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'

export const envsShow = command({
  words: [{ name: '[environment]', description: 'its name or id (default: the one that follows the branch)' }],
  flags: TARGET_FLAGS,
  examples: [
    ['shipway envs show staging -p bookshop', 'Its state and settings'],
    ['shipway envs show staging --json | jq -r .url', 'Its address'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const target = await findTarget(ctx, { project: flags.project, environment: word ?? flags.environment })
    const client = await ctx.client()
    const params = { id: target.environment.id }
    const [environment, traffic, durations, silence, { watched }] = await Promise.all([
      client.getEnvironment({ params }),
      client.getTraffic({ params }),
      client.getDurations({ params }),
      client.getSilence({ params }),
      client.getWatch({ params }),
    ])
    const facts = { environment, traffic, durations, silence, watched }
    report(ctx, { ...environment, traffic, durations, silence, watched }, () =>
      environmentLines(targetTitle(target), facts),
    )
    say(ctx, '', `Its services: shipway status ${targetWords(target)}`)
    return EXIT.done
  },
})
