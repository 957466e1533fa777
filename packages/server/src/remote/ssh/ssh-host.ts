// A server that the platform reaches with OpenSSH's client, over one connection that all its commands share.
import { type Command, shellLine } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { abortableWhileQueued } from '../../scheduling/abortable-while-queued.ts'
import { type ConcurrencyLimit, limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import { CommandStopped, ConnectionLost, type Finished, type Host, type RunOptions, USUAL_LIMIT_MS } from '../host.ts'
import { isShell, type ShellPool } from '../persistent-shell/shell-pool.ts'
import { createSharedConnection, type SharedConnection, type SharedConnectionOptions } from './shared-connection.ts'
import { createSshShells } from './ssh-shells.ts'

export type SshHost = Host & Pick<SharedConnection, 'hostKey' | 'retire' | 'close'>

/**
 * Git uses the shared connection if there is one, and opens its own otherwise. Run a command shortly before: it pins the server's key and
 * renews the certificate, which git needs as well.
 */
export function createSshHost(server: ServerAddress, options: SharedConnectionOptions): SshHost {
  const connection = createSharedConnection(server, options, () => shells.letGo())
  const shells = createSshShells(server, connection)
  const reach: ServerShells = { server, shells, endInTurn: limitTo(1) }
  const inTurn = limitTo(sessionsAtOnce)
  const fewPushes = limitTo(pushesAtOnce)
  const gitInTurn: ConcurrencyLimit = (work) => fewPushes(() => inTurn(work))
  return {
    name: server.name,
    run: (command, runOptions = {}) =>
      runInTurn(inTurn, runOptions.signal, (begin) =>
        run(reach, command, { timeoutMs: USUAL_LIMIT_MS, ...runOptions, begin }),
      ),
    git: {
      address: (path) => gitAddress(server, path),
      inTurn: (runGit, signal) =>
        runInTurn(gitInTurn, signal, (begin) => {
          begin()
          // Built for each run: the next connection may use another address.
          return runGit({ GIT_SSH_COMMAND: shellLine(connection.ssh()), GIT_SSH_VARIANT: 'ssh' })
        }),
    },
    hostKey: connection.hostKey,
    retire: connection.retire,
    close: connection.close,
  }
}

/** sshd allows ten per connection: these, one that keeps it open, and one to end a command's processes. */
const sessionsAtOnce = 8

/** A push may take minutes: pushes must not use up all sessions. */
const pushesAtOnce = 3

const limitTo = (atOnce: number): ConcurrencyLimit =>
  limitConcurrency({ concurrency: atOnce, maxQueued: Number.POSITIVE_INFINITY })

type ServerShells = {
  readonly server: ServerAddress
  readonly shells: ShellPool
  readonly endInTurn: ConcurrencyLimit
}
/** `begin` is called before a process is started, and throws if the caller has aborted. */
type SessionOptions = RunOptions & { readonly begin: () => void }

/** Rejects at once if the caller aborts while the command waits for a session or the connection. */
const runInTurn = <Result>(
  inTurn: ConcurrencyLimit,
  signal: AbortSignal | undefined,
  work: (begin: () => void) => Promise<Result>,
): Promise<Result> =>
  abortableWhileQueued(
    signal,
    (begin) => inTurn(() => work(begin)),
    () => new CommandStopped('aborted'),
  )

/** Runs a command once, in an open session if there is one. */
async function run(reach: ServerShells, command: Command, { begin, ...options }: SessionOptions): Promise<Finished> {
  const { server, shells } = reach
  const shell = await shells.take()
  if (shell === 'lost') throw broken(server)
  if (!isShell(shell)) return shell
  let isOver = false
  try {
    begin()
    const end = await shell.run(command, options).catch(async (error) => {
      void shell.close()
      await reach.endInTurn(() => endOnServer(reach, shell.group))
      throw error
    })
    isOver = end === 'lost'
    if (end !== 'lost') return end
    throw broken(server)
  } finally {
    if (!isOver) shells.giveBack(shell)
  }
}

const broken = ({ name }: ServerAddress): ConnectionLost =>
  new ConnectionLost(`The connection to the server ${name} broke while a command ran on it`)

/** If the server cannot be reached, there is nothing to do: the caller already gets the reason why the command was ended. */
async function endOnServer({ shells }: ServerShells, group: string): Promise<void> {
  const end = async (): Promise<void> => {
    const shell = await shells.take()
    if (!isShell(shell)) return
    await shell.run(endGroup(group), { timeoutMs: 10_000 }).finally(() => shells.giveBack(shell))
  }
  await Promise.allSettled([end()])
}

/** Closing a session does not end its processes: sshd lets them run on. */
const endGroup = (group: string): Command => shell(endGroupScript, 'sh', group)

/** For a shell elsewhere, such as in a container. */
export const endGroupScript = loadScript(import.meta.url, 'end-group')

/** Git decodes the address, so the path is encoded; an IPv6 address stands in brackets. */
function gitAddress({ unixUser, hostname, port }: ServerAddress, path: string): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  return `ssh://${unixUser}@${host}:${port}${path.split('/').map(encodeURIComponent).join('/')}`
}
