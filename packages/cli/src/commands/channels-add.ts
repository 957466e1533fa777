// `shipway channels add`: adds a channel. Its address and token are typed or piped in, so that no other user sees them.
import { AlertSeverity, CHANNEL_FIELDS, ChannelEvent, ChannelType } from '@shipway/api'
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { shellWord } from '../target/command-words.ts'
import { findOwnOrganization } from '../target/find-own-organization.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readValues } from '../variables/read-assignments.ts'

export const channelsAdd = command({
  words: [{ name: 'type', description: ChannelType.options.join(', ') }],
  flags: {
    name: { value: 'name', description: 'its name (default: the type)' },
    address: {
      value: 'address',
      description: 'address of slack, discord, ntfy or a webhook; - to type it or pipe it in',
    },
    token: { value: 'token', description: 'token of telegram or ntfy; - to type it or pipe it in' },
    recipient: { value: 'recipient', description: 'e-mail address, or chat of telegram' },
    event: {
      value: 'event',
      isRepeatable: true,
      choices: ChannelEvent.options,
      description: 'what it gets (default: alerts)',
    },
    severity: {
      value: 'severity',
      isRepeatable: true,
      choices: AlertSeverity.options,
      description: 'which alerts (default: all)',
    },
  },
  notes: 'Other users of this machine can see command arguments. Give addresses and tokens as -.',
  examples: [
    ['shipway channels add slack --address -', 'Its address is typed and not shown'],
    ['shipway channels add mail --recipient oncall@example.com --severity critical', 'Critical alerts by mail'],
    ['shipway channels add telegram --token - --recipient -100123', 'A bot of Telegram'],
    ['shipway channels add discord --address - --event deployment.failed', 'Failed deployments only'],
  ],
  run: async (ctx, { words: [word = ''], flags }) => {
    const type = ChannelType.safeParse(word).data
    if (type === undefined) throw UsageError(`Give a type: ${ChannelType.options.join(', ')}`)
    const { address, token, recipient } = flags
    const given = { url: address, token, recipient }
    const missing = (['url', 'token', 'recipient'] as const).find(
      (field) => CHANNEL_FIELDS[type][field] === 'required' && given[field] === undefined,
    )
    if (missing !== undefined)
      throw UsageError(`A channel of the type ${type} needs --${missing === 'url' ? 'address' : missing}`)
    const typed = (['address', 'token'] as const).filter((flag) => flags[flag] === '-')
    const secrets = Object.fromEntries(await readValues(ctx, typed))
    const client = await ctx.client()
    const channel = await client.createChannel({
      params: { id: await findOwnOrganization(ctx, client) },
      body: {
        type,
        name: flags.name ?? type,
        ...(address !== undefined && { url: secrets.address ?? address }),
        ...(token !== undefined && { token: secrets.token ?? token }),
        ...(recipient !== undefined && { recipient }),
        ...(flags.event.length > 0 && { events: ChannelEvent.array().parse(flags.event) }),
        ...(flags.severity.length > 0 && { severities: AlertSeverity.array().parse(flags.severity) }),
      },
    })
    report(ctx, channel, () => [
      `Channel ${plainText(channel.name)} (${channel.id}) to ${plainText(channel.recipient ?? channel.host ?? '')}`,
      ...(channel.secret === null ? [] : ['', channel.secret]),
    ])
    if (channel.secret !== null) say(ctx, '', 'Messages are signed with that secret. It is shown only once.')
    say(ctx, `shipway channels test ${shellWord(channel.name)}`)
    return EXIT.done
  },
})
