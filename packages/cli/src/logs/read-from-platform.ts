// Reads service logs over the live channel, where ssh does not lead to the server. Its client reconnects and drops repeated lines.
import type { Client, LiveOutputOptions, LiveUpdate } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { NameNotFound } from '../target/find-by-name.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { LogLine } from './log-line.ts'
import type { LogRequest } from './log-request.ts'

export type PlatformReading = {
  readonly environmentId: number
  /** An earlier server of the environment. */
  readonly serverId: number | undefined
  readonly request: LogRequest
  readonly grep: string | undefined
  readonly signal: AbortSignal
  /** How long the platform may be away. */
  readonly giveUpAfterMs: number
  onLine(line: LogLine): void
  /** Reading pauses until it resolves. */
  isTaken(): Promise<void>
  /** The connection was lost and is retried. */
  onLost(): void
  /** Lines were left out, because they came faster than they were read. */
  onSkipped(): void
}

/** Rejects with the reason of the signal if that is aborted. */
export async function readFromPlatform(client: Pick<Client, 'live'>, reading: PlatformReading): Promise<void> {
  const away = new AbortController()
  const topic = `environment:${reading.environmentId}:output`
  const live = client.live({
    topics: [{ topic, options: optionsOf(reading) }],
    signal: AbortSignal.any([reading.signal, away.signal]),
  })
  let timer: NodeJS.Timeout | undefined
  try {
    for await (const update of live) {
      if (update.type === 'connection') {
        clearTimeout(timer)
        if (update.state === 'offline') reading.onLost()
        if (update.state === 'offline') timer = setTimeout(() => away.abort(SilentForTooLong()), reading.giveUpAfterMs)
      }
      if (await isEnd(update, reading)) return
    }
  } finally {
    clearTimeout(timer)
  }
}

async function isEnd(update: LiveUpdate, { request, onLine, isTaken, onSkipped }: PlatformReading): Promise<boolean> {
  if (update.type === 'error') throw refusal(update, request)
  if (update.type === 'unsubscribed') throw NoLongerThere()
  if (update.type === 'lagged') onSkipped()
  if (update.type !== 'event') return false
  if (update.event === 'output.append') {
    const { time, service, text } = update.data
    onLine({ time, service, text })
    await isTaken()
  }
  return update.event === 'output.end'
}

function optionsOf({ request, grep, serverId }: PlatformReading): LiveOutputOptions {
  const { isFollowing, since, until, tail, service } = request
  return {
    ...(isFollowing ? {} : { follow: false }),
    ...(since !== undefined && { since: timeOf(since) }),
    ...(until !== undefined && { until: timeOf(until) }),
    ...(tail !== undefined && { tail }),
    ...(service !== undefined && { services: [service] }),
    // A longer text is searched for by the client.
    ...(grep !== undefined && grep.length <= LONGEST_GREP && { grep }),
    ...(serverId !== undefined && { server_id: serverId }),
  }
}

const LONGEST_GREP = 200

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

type Refused = Extract<LiveUpdate, { type: 'error' }>

function refusal({ code, detail, known = [] }: Refused, { service }: LogRequest): CommandError {
  if (code === 'service_not_found' && service !== undefined)
    return NameNotFound(
      'service',
      service,
      known.map((name, id) => ({ id, name })),
    )
  return new CommandError(plainText(detail), { code, exitCode: EXIT_CODES[code] ?? EXIT.error })
}

const EXIT_CODES: Readonly<Record<string, (typeof EXIT)[keyof typeof EXIT]>> = {
  not_found: EXIT.notFound,
  insufficient_scope: EXIT.signIn,
}

const NoLongerThere = (): CommandError =>
  new CommandError('The environment was deleted, or you may not see it any more', {
    code: 'environment_not_found',
    exitCode: EXIT.notFound,
  })

const SilentForTooLong = (): CommandError =>
  new CommandError('The platform has not answered for minutes. The services go on', { code: 'no_answer' })
