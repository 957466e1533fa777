// `shipway channels test`: sends a test message, and prints what the receiver said.
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findChannel } from '../target/find-channel.ts'
import { plainText } from '../terminal/sanitize.ts'

export const channelsTest = command({
  words: [{ name: 'channel', description: 'its name or id' }],
  flags: {},
  notes: 'Exit code 1 if the message did not arrive.',
  examples: [['shipway channels test slack', 'Send a test message']],
  run: async (ctx, { words: [wanted = ''] }) => {
    const client = await ctx.client()
    const channel = await findChannel(ctx, client, wanted)
    const tested = await client.testChannel({ params: { id: channel.id } })
    const { succeeded, message, response_text: said } = tested
    report(ctx, tested, () => [
      `${succeeded ? 'Sent' : 'Did not arrive'}: ${plainText(message)}`,
      ...(said === null || said === '' ? [] : [`  ${plainText(said)}`]),
    ])
    return succeeded ? EXIT.done : EXIT.error
  },
})
