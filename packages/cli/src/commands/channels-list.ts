// `shipway channels list`: where an organization gets alerts and deployments.
import type { Channel } from '@shipway/api'
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { listChannels } from '../target/find-channel.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'

export const channelsList = command({
  flags: {},
  notes: 'Addresses and tokens are never shown, only hosts.',
  examples: [
    ['shipway channels list', 'All of them'],
    ['shipway channels list --org tidewater --json', 'Those of one organization, for a script'],
  ],
  run: async (ctx) => {
    const channels = await listChannels(ctx, await ctx.client())
    report(ctx, channels, () => {
      if (channels.length === 0) return ['No channels yet. Add one: shipway channels add --help']
      const rows = channels.map((channel) => [
        plainText(channel.name),
        channel.type,
        plainText(channel.recipient ?? channel.host ?? ''),
        channel.events.join(', '),
        stateOf(channel),
      ])
      return tableLines({ head: ['NAME', 'TYPE', 'TO', 'EVENTS', 'LAST'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

function stateOf({ enabled, last_delivery: last }: Channel): string {
  if (!enabled) return 'turned off'
  return last === null ? 'nothing sent yet' : `${last.status} ${ago(last.at)}: ${plainText(last.message)}`
}
