// `shipway envs silence`: sends no alerts of an environment for a while.
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { fromNow, readDuration } from '../terminal/times.ts'

export const envsSilence = command({
  words: [{ name: '[environment]', description: 'its name or id (default: the one that follows the branch)' }],
  flags: {
    ...TARGET_FLAGS,
    for: { value: 'duration', description: 'how long, such as 90m or 8h (default: until you turn them on again)' },
    off: { description: 'send alerts again' },
  },
  notes: 'Silenced alerts are listed, and sent to no channel.',
  examples: [
    ['shipway envs silence staging -p bookshop --for 2h', 'While you work on it'],
    ['shipway envs silence staging -p bookshop --off', 'Send alerts again'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const ms = flags.for === undefined ? undefined : readDuration(flags.for)
    if (flags.for !== undefined && !ms) throw UsageError('--for is not a duration', 'Give one such as 90m or 8h')
    if (flags.off && ms !== undefined) throw UsageError('Give either --for or --off')
    const target = await findTarget(ctx, { project: flags.project, environment: word ?? flags.environment })
    const client = await ctx.client()
    const params = { id: target.environment.id }
    const title = targetTitle(target)
    if (flags.off) {
      await client.unsilenceEnvironment({ params })
      report(ctx, { silenced: false, until: null }, () => [`Alerts of ${title} are sent`])
      return EXIT.done
    }
    const until = ms === undefined ? null : new Date(Date.now() + ms).toISOString()
    const silence = await client.silenceEnvironment({ params, body: { until } })
    const end = silence.until === null ? 'until you turn them on again' : `until ${fromNow(silence.until)}`
    report(ctx, silence, () => [`Alerts of ${title} are silenced ${end}`])
    return EXIT.done
  },
})
