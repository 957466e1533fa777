// Reads the logs of an environment's services on its server, with the program that a certificate for logs runs there.
import type { Command } from '../../commands/command.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { type ConcurrencyLimit, limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import { READ_OUTPUT } from '../access/read-output-command.ts'
import { CommandStopped, ConnectionLost, ServerUnreachable } from '../host.ts'
import type { Hosts } from '../hosts.ts'
import { installReader } from './install-reader.ts'

export type ServiceLogs = {
  /** Every line `TIME SERVICE TEXT` from that second of the server's clock on, and each one that is printed. One at a time for an environment. */
  follow(
    server: ServerAddress,
    environmentId: number,
    reading: LogReading & { readonly since: number },
  ): Promise<ReadEnd>
  /** The lines that are there already. A few at once for each server; the others wait. */
  read(server: ServerAddress, environmentId: number, reading: LogReading & LogSelection): Promise<ReadEnd>
  /** What the server's clock shows, in whole seconds; rejects if the server cannot be reached. */
  now(server: ServerAddress, signal: AbortSignal): Promise<number | ReadFailure>
}

type LogReading = {
  readonly signal: AbortSignal
  /** Reading pauses until it resolves. */
  readonly onOutput: (bytes: Buffer) => void | Promise<void>
}

/** Times are whole seconds since 1970. Names of services have no other characters than the contract allows. */
type LogSelection = {
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly tail?: number | undefined
  readonly services?: readonly string[] | undefined
  /** The reader has lines from before `since`: files without times are left out. */
  readonly isResumed?: boolean
}

/** `lost`: the server cannot be reached now, or the connection broke. `failed`: the program could not read. */
type ReadFailure = { readonly kind: 'lost' | 'failed'; readonly detail: string }
/** `renew`: following starts again from the last line. */
type ReadEnd =
  | { readonly kind: 'complete' | 'renew' }
  | { readonly kind: 'no_service'; readonly detail: string }
  | ReadFailure

type Options = {
  readonly hosts: Pick<Hosts, 'forLogs'>
  /** The platform's folder on a server. A relative path starts at the home folder. */
  readonly folderOf: (server: ServerAddress) => string
}

/** Sessions of the connection for logs: eight, and the following processes take six of them at most. */
const READ_AT_ONCE = 2
/** The program ends by itself after an hour. */
const FOLLOW_MS = 70 * 60_000
const READ_MS = 15 * 60_000
const ASK_MS = 20_000

export function createServiceLogs({ hosts, folderOf }: Options): ServiceLogs {
  const limits = new Map<number, ConcurrencyLimit>()
  const limitOf = (serverId: number): ConcurrencyLimit => {
    const limit =
      limits.get(serverId) ?? limitConcurrency({ concurrency: READ_AT_ONCE, maxQueued: Number.POSITIVE_INFINITY })
    limits.set(serverId, limit)
    return limit
  }
  const run = (server: ServerAddress, words: readonly string[], { signal, onOutput, timeoutMs, environmentId }: Run) =>
    orFailure(async () => {
      const host = hosts.forLogs(server)
      const folder = folderOf(server)
      await installReader(host, folder, { runtime: server.runtime, signal })
      const { exitCode, stderr } = await host.run(programOf(folder, environmentId, words), {
        signal,
        onOutput,
        timeoutMs,
      })
      return endOf(exitCode, stderr.toString())
    })
  return {
    follow: (server, environmentId, { since, ...reading }) =>
      run(server, ['follow', `since=${since}`], { ...reading, environmentId, timeoutMs: FOLLOW_MS }),
    read: (server, environmentId, { since, until, tail, services = [], isResumed = false, ...reading }) => {
      const named = Object.entries({
        since,
        until,
        tail,
        service: services.length > 0 ? services.join(',') : undefined,
      })
      const pairs = named.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
      const words = [...(isResumed ? ['again'] : []), ...pairs]
      return limitOf(server.id)(() => run(server, words, { ...reading, environmentId, timeoutMs: READ_MS }))
    },
    now: async (server, signal) => {
      const asked = await orFailure(async () => {
        const { stdout } = await hosts.forLogs(server).run(['date', '+%s'], { signal, timeoutMs: ASK_MS })
        const second = Number(stdout.toString())
        return Number.isSafeInteger(second)
          ? second
          : { kind: 'failed' as const, detail: 'The server does not say what time it is' }
      })
      return asked
    },
  }
}

type Run = LogReading & { readonly environmentId: number; readonly timeoutMs: number }

/** The request is one word of the environment, as sshd gives it; the program accepts its own grammar and nothing else. */
const programOf = (folder: string, environmentId: number, request: readonly string[]): Command => [
  'env',
  `SSH_ORIGINAL_COMMAND=${request.join(' ')}`,
  'sh',
  `${folder}/${READ_OUTPUT}`,
  String(environmentId),
]

const EXIT = { noService: 66, renew: 75 } as const

function endOf(exitCode: number, stderr: string): ReadEnd {
  if (exitCode === 0) return { kind: 'complete' }
  if (exitCode === EXIT.renew) return { kind: 'renew' }
  const words = stderr.trim().slice(-MOST_DETAIL)
  if (exitCode === EXIT.noService) return { kind: 'no_service', detail: words }
  return {
    kind: 'failed',
    detail: `The program that reads logs exited with ${exitCode}${words === '' ? '' : `: ${words}`}`,
  }
}

const MOST_DETAIL = 1000

/** A server that cannot be reached is nothing unusual. A command that was stopped took too long, or its reader is gone. */
async function orFailure<Result>(work: () => Promise<Result>): Promise<Result | ReadFailure> {
  try {
    return await work()
  } catch (error) {
    const isLost =
      error instanceof ServerUnreachable || error instanceof ConnectionLost || error instanceof CommandStopped
    if (!isLost) throw error
    return { kind: 'lost', detail: error.message }
  }
}
