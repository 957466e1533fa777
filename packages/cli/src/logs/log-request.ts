// Which log lines to read: parsed from the flags, and written as the server's program expects.
import { UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readTime } from './read-time.ts'

export type LogRequest = {
  readonly isFollowing: boolean
  /** In whole seconds since 1970. */
  readonly since: number | undefined
  readonly until: number | undefined
  /** How many of the last lines the server sends at most. */
  readonly tail: number | undefined
  readonly service: string | undefined
}

export type LogFlags = {
  readonly follow: boolean
  readonly since: string | undefined
  readonly until: string | undefined
  readonly tail: string | undefined
  readonly service: string | undefined
  readonly grep: string | undefined
}

/** `last`: how many lines to print at most, if the client and not the server counts them. */
export function readLogRequest(
  flags: LogFlags,
  now: number,
): { readonly request: LogRequest; readonly last: number | undefined } {
  const { follow: isFollowing, service, grep } = flags
  if (isFollowing && flags.until !== undefined) throw UsageError('Use either -f or --until, not both')
  if (service !== undefined && !/^[A-Za-z0-9._-]{1,200}$/.test(service))
    throw UsageError(`${plainText(service)} is not a service name`)
  if (grep === '') throw UsageError('--grep needs a text to search for')
  const since = flags.since === undefined ? undefined : readTime('--since', flags.since, now)
  const until = flags.until === undefined ? undefined : readTime('--until', flags.until, now)
  if (since !== undefined && until !== undefined && since > until) throw UsageError('--since is later than --until')
  const asked = flags.tail === undefined ? undefined : readCount(flags.tail)
  const isSearch = grep !== undefined && !isFollowing
  const usual = since === undefined && until === undefined ? DEFAULT_LINES : undefined
  return {
    request: { isFollowing, since, until, service, tail: isSearch ? undefined : (asked ?? usual) },
    last: isSearch ? asked : undefined,
  }
}

const DEFAULT_LINES = 200

function readCount(text: string): number {
  if (!/^(0|[1-9]\d{0,4})$/.test(text) || Number(text) > 10_000)
    throw UsageError(
      `${plainText(text)} is not a number of lines for --tail`,
      'Give one up to 10000, or --since for more',
    )
  return Number(text)
}

/** The format of the server's program: each word once, separated by single spaces. */
export function describeLogRequest({ isFollowing, since, until, tail, service }: LogRequest): string {
  const named = Object.entries({ since, until, tail, service }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  return [...(isFollowing ? ['follow'] : []), ...named].join(' ')
}
