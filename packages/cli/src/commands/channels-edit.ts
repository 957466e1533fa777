// `shipway channels edit`: changes a channel, or turns it off and on.
import type { ChannelEvent } from '@shipway/api'
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { changedNames, changesOf, readChoice, readSwitch, switchFlag } from '../settings.ts'
import { findChannel } from '../target/find-channel.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readValues } from '../variables/read-assignments.ts'

const EVENTS = [
  'alert.opened',
  'alert.resolved',
  'deployment.succeeded',
  'deployment.failed',
] as const satisfies readonly ChannelEvent[]
const SEVERITIES = ['warning', 'critical'] as const

export const channelsEdit = command({
  words: [{ name: 'channel', description: 'its name or id' }],
  flags: {
    name: { value: 'name', description: 'its name' },
    address: { value: 'address', description: '- to type the new address or pipe it in; it needs the token again' },
    token: { value: 'token', description: '- to type the new token or pipe it in; none removes it' },
    recipient: { value: 'recipient', description: 'e-mail address, or chat of telegram' },
    event: { value: 'event', isRepeatable: true, choices: EVENTS, description: 'what it gets; replaces all' },
    severity: { value: 'severity', isRepeatable: true, choices: SEVERITIES, description: 'which alerts; replaces all' },
    enabled: switchFlag('turn it on or off; what waits for one that is off is dropped'),
  },
  examples: [
    ['shipway channels edit slack --enabled off', 'Turn it off'],
    ['shipway channels edit slack --severity critical', 'Critical alerts only'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const isHidden = [flags.address, flags.token].every((word) => word === undefined || word === '-' || word === 'none')
    if (!isHidden) throw UsageError('Give addresses and tokens as -, and type them or pipe them in')
    const client = await ctx.client()
    const { id } = await findChannel(ctx, client, wanted)
    const typed = (['address', 'token'] as const).filter((flag) => flags[flag] === '-')
    const secrets = Object.fromEntries(await readValues(ctx, typed))
    const events = flags.event.flatMap((each) => readChoice(EVENTS, each) ?? [])
    const severities = flags.severity.flatMap((each) => readChoice(SEVERITIES, each) ?? [])
    const changes = changesOf({
      name: flags.name,
      url: secrets.address,
      token: flags.token === 'none' ? null : secrets.token,
      recipient: flags.recipient,
      events: events.length === 0 ? undefined : events,
      severities: severities.length === 0 ? undefined : severities,
      enabled: readSwitch(flags.enabled),
    })
    const channel = await client.updateChannel({ params: { id }, body: changes })
    report(ctx, channel, () => [`Changed ${changedNames(changes)} of ${plainText(channel.name)}`])
    return EXIT.done
  },
})
