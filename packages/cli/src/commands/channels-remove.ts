// `shipway channels remove`: deletes a channel.
import { command } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findChannel } from '../target/find-channel.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'

export const channelsRemove = command({
  words: [{ name: 'channel', description: 'its name or id' }],
  flags: { yes: { short: 'y', description: 'do not ask; required without a terminal' } },
  examples: [
    ['shipway channels remove slack', 'Asks first'],
    ['shipway channels remove slack --yes', 'For a script'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const channel = await findChannel(ctx, client, wanted)
    const name = plainText(channel.name)
    if (!flags.yes) {
      if (!canAsk(ctx)) throw UsageError(`The channel ${name} would be deleted`, 'Confirm with --yes')
      if (!(await askYesNo(ctx, `Delete the channel ${name}? Its address is not kept.`)))
        throw new CommandError('Nothing was deleted', { code: 'not_confirmed' })
    }
    await client.deleteChannel({ params: { id: channel.id } })
    report(ctx, { id: channel.id, deleted: true }, () => [`Deleted the channel ${name}`])
    return EXIT.done
  },
})
