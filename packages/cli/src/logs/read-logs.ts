// Reads service logs by the way that leads to them: ssh where the server can be reached, otherwise the platform.
import type { Client, Environment } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { isApiError } from '../http/api-failure.ts'
import type { RetryPolicy } from '../tasks/watch-task.ts'
import { followSessions } from './follow-sessions.ts'
import type { LogLine } from './log-line.ts'
import type { LogRequest } from './log-request.ts'
import { readFromPlatform } from './read-from-platform.ts'
import { readSession, type SessionEnd } from './read-session.ts'
import { READER_EXIT, sessionFailure } from './session-failure.ts'

export const LOG_TRANSPORTS = ['ssh', 'platform'] as const
export type LogTransport = (typeof LOG_TRANSPORTS)[number]

export type LogReading = {
  readonly environment: Pick<Environment, 'id' | 'server'>
  /** Whether the server is not the one that the environment is on now. */
  readonly isEarlier: boolean
  readonly request: LogRequest
  readonly grep: string | undefined
  readonly signal: AbortSignal
  readonly retry: RetryPolicy
  onLine(line: LogLine): void
  /** Reading pauses until it resolves. */
  isTaken(): Promise<void>
  onLost(): void
  onSkipped(): void
  /** The server cannot be reached with ssh, for this reason. */
  onDetour(reason: string): void
}

/** The end of standard error of the server's program, if it was read with ssh. Undefined if the signal was aborted. */
export async function readLogs(
  client: Client,
  reading: LogReading,
  transport: LogTransport | undefined,
): Promise<{ readonly stderr: string } | undefined> {
  if (transport !== 'platform') {
    const direct = await readWithSsh(client, reading)
    if (reading.signal.aborted) return undefined
    if (!(direct instanceof Error)) return direct
    if (transport === 'ssh' || !leadsElsewhere(direct)) throw direct
    reading.onDetour(direct.message)
    return readOverPlatform(client, reading, direct)
  }
  return readOverPlatform(client, reading, undefined)
}

/** Why ssh does not lead to the server, if nothing was read before. */
async function readWithSsh(client: Client, reading: LogReading): Promise<SessionEnd | undefined | Error> {
  const { environment, request, signal, retry, isTaken, onLost } = reading
  let hasRead = false
  const onLine = (line: LogLine): void => {
    hasRead = true
    reading.onLine(line)
  }
  const session = (now: LogRequest, take: (line: LogLine) => void): Promise<SessionEnd> =>
    readSession(client, { environment, request: now, signal, onLine: take, isTaken })
  try {
    const end = request.isFollowing
      ? await followSessions({ request, signal, retry, session, onLine, onLost })
      : await session(request, onLine)
    if (!end || end.code === 0) return end
    const failure = sessionFailure(end, { server: environment.server, service: request.service })
    if (hasRead || end.code !== READER_EXIT.ssh) throw failure
    return failure
  } catch (error) {
    if (hasRead || !(error instanceof Error) || !leadsElsewhere(error)) throw error
    return error
  }
}

/** The platform may reach a server that this machine cannot reach. */
function leadsElsewhere(error: Error): boolean {
  const code = error instanceof CommandError || isApiError(error) ? error.code : ''
  return UNREACHED.has(code)
}

const UNREACHED: ReadonlySet<string> = new Set([
  'ssh_not_set_up',
  'server_unreachable',
  'server_timeout',
  'server_not_reached',
  'ssh_missing',
])

async function readOverPlatform(
  client: Client,
  reading: LogReading,
  direct: Error | undefined,
): Promise<{ readonly stderr: string } | undefined> {
  const { environment, isEarlier, retry, ...rest } = reading
  const { id: environmentId, server } = environment
  try {
    const serverId = isEarlier ? server.id : undefined
    await readFromPlatform(client, { ...rest, environmentId, serverId, giveUpAfterMs: retry.giveUpAfterMs })
    return { stderr: '' }
  } catch (error) {
    if (reading.signal.aborted) return undefined
    // A platform of an earlier release has no such topic.
    throw direct && error instanceof CommandError && error.code === 'not_found' ? direct : error
  }
}
