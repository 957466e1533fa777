// What of the output is wanted: read from the flags, and said to the server in the words that it knows.
import { UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readTime } from './read-time.ts'

export type LogRequest = {
  readonly isFollowing: boolean
  /** In whole seconds since 1970. */
  readonly since: number | undefined
  readonly until: number | undefined
  /** How many lines the server gives at most, the last ones. */
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

/** `last` is how many lines are printed at most, where that is not the server's to count. */
export function readLogRequest(
  flags: LogFlags,
  now: number,
): { readonly request: LogRequest; readonly last: number | undefined } {
  const { follow: isFollowing, service, grep } = flags
  if (isFollowing && flags.until !== undefined) throw UsageError('What is followed has no end: give -f or --until')
  if (service !== undefined && !/^[A-Za-z0-9._-]{1,200}$/.test(service))
    throw UsageError(`${plainText(service)} is no name of a service`)
  if (grep === '') throw UsageError('Give --grep something to look for')
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
    throw UsageError(`${plainText(text)} is no number of lines for --tail`, 'Give one up to 10000, or --since for more')
  return Number(text)
}

/** As the program on the server reads it: each word once, one space between. */
export function describeLogRequest({ isFollowing, since, until, tail, service }: LogRequest): string {
  const named = Object.entries({ since, until, tail, service }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  return [...(isFollowing ? ['follow'] : []), ...named].join(' ')
}
