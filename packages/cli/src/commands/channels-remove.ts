// `shipway channels remove`: deletes a channel.
import { command, YES_FLAG } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findChannel } from '../target/find-channel.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/sanitize.ts'

export const channelsRemove = command({
  words: [{ name: 'channel', description: 'its name or id' }],
  flags: YES_FLAG,
  examples: [
    ['shipway channels remove slack', 'Asks first'],
    ['shipway channels remove slack --yes', 'For a script'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const channel = await findChannel(ctx, client, wanted)
    const name = plainText(channel.name)
    await confirm(ctx, flags, {
      consequence: `The channel ${name} would be deleted`,
      question: `Delete the channel ${name}? Its address is not kept.`,
      refusal: 'Nothing was deleted',
    })
    await client.deleteChannel({ params: { id: channel.id } })
    report(ctx, { id: channel.id, deleted: true }, () => [`Deleted the channel ${name}`])
    return EXIT.done
  },
})
