// A server that is reached with OpenSSH's client, over one connection that all its commands share.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, shellLine } from '../../commands/command.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { createTurnstile, type Turnstile } from '../../pacing/turnstile.ts'
import { CommandStopped, ConnectionLost, type Finished, type Host, type RunOptions, USUAL_LIMIT_MS } from '../host.ts'
import { runProcess, type StartOptions } from '../process.ts'
import { createGroupReader, endGroup, inSession, readEnd, withoutConnection } from './session-script.ts'
import { createSharedConnection, type SharedConnection, type SharedConnectionOptions } from './shared-connection.ts'
import { noSession } from './ssh-failure.ts'
import { destination } from './ssh-options.ts'

export type SshHost = Host & Pick<SharedConnection, 'hostKey' | 'retire' | 'close'>

/**
 * Git shares the connection where there is one and makes its own where not. Run a command shortly before: that pins the
 * server's key and renews the certificate, which git needs as well.
 */
export function createSshHost(server: ServerAddress, options: SharedConnectionOptions): SshHost {
  const connection = createSharedConnection(server, options)
  const reach: Reach = { server, connection, endInTurn: oneByOne(1) }
  const inTurn = oneByOne(sessionsAtOnce)
  return {
    name: server.name,
    run: (command, runOptions = {}) =>
      whenItIsTime(inTurn, runOptions.signal, (begin) =>
        run(reach, command, { timeoutMs: USUAL_LIMIT_MS, ...runOptions, begin }),
      ),
    git: {
      address: (path) => gitAddress(server, path),
      // Asked for anew each time: the address may be another one after the next connection.
      get environment() {
        return { GIT_SSH_COMMAND: shellLine(connection.ssh()), GIT_SSH_VARIANT: 'ssh' }
      },
    },
    hostKey: connection.hostKey,
    retire: connection.retire,
    close: connection.close,
  }
}

/** sshd allows ten on a connection: these, the one that keeps it open, and one to end a command's processes. */
const sessionsAtOnce = 8

const oneByOne = (atOnce: number): Turnstile => createTurnstile({ atOnce, waiting: Number.POSITIVE_INFINITY })

type Reach = { readonly server: ServerAddress; readonly connection: SharedConnection; readonly endInTurn: Turnstile }
/** `begin` is called before a process is started, and throws when that is no longer wanted. */
type SessionOptions = RunOptions & { readonly begin: () => void }

/** Whoever aborts while the command waits for its turn or the connection gets the answer at once. */
async function whenItIsTime(
  inTurn: Turnstile,
  signal: AbortSignal | undefined,
  work: (begin: () => void) => Promise<Finished>,
): Promise<Finished> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(new CommandStopped('aborted'))
  const begin = (): void => {
    if (signal?.aborted) throw new CommandStopped('aborted')
    signal?.removeEventListener('abort', onAbort)
  }
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([inTurn(() => work(begin)), aborted.promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

async function run(reach: Reach, command: Command, options: SessionOptions): Promise<Finished> {
  const word = newWord()
  const reader = createGroupReader(word)
  const onErrorOutput = reader.hear
  const end = await inOneSession(reach, inSession(command, word), { ...options, word, onErrorOutput }).catch(
    async (error) => {
      const group = reader.group()
      if (group !== undefined) await reach.endInTurn(() => endOnServer(reach, group))
      throw error
    },
  )
  if (end !== 'lost') return end
  throw new ConnectionLost(`The connection to the server ${reach.server.name} broke while a command ran on it`)
}

/** How long sshd may refuse a session: it does while git has many of them, and when a connection has just ended. */
const refusalPatienceMs = 15_000

/** Runs a command once: it is tried again only when nothing ran. */
async function inOneSession(
  { server, connection }: Reach,
  command: Command,
  { word, begin, ...options }: SessionOptions & { readonly word: string } & StartOptions,
): Promise<Finished | 'lost'> {
  const words = [...withoutConnection(word), ...destination(server), shellLine(command)]
  let deadline: number | undefined
  for (;;) {
    await connection.ensure()
    begin()
    const end = readEnd(word, await runProcess([...connection.ssh(), ...words], options))
    if (end !== 'none') return end
    deadline ??= performance.now() + refusalPatienceMs
    if (performance.now() > deadline) throw noSession(server)
    await delay(100)
  }
}

/** A server that cannot be reached leaves nothing to do here: why the command was ended is what the caller learns. */
async function endOnServer(reach: Reach, group: string): Promise<void> {
  const options = { word: newWord(), begin: () => undefined, timeoutMs: 10_000 }
  await Promise.allSettled([inOneSession(reach, endGroup(group), options)])
}

/** Unguessable, so that nothing a command prints can be taken for it. */
const newWord = (): string => randomBytes(12).toString('hex')

/** Git decodes the address, so the path is encoded; an IPv6 address stands in brackets. */
function gitAddress({ unixUser, hostname, port }: ServerAddress, path: string): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  return `ssh://${unixUser}@${host}:${port}${path.split('/').map(encodeURIComponent).join('/')}`
}
