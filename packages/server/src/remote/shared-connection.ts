// Keeps one connection to a server: made when it is needed, made again after it broke, ended when nobody has needed it for a while, with
// the server's key pinned.
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PlatformStopping, type ServerAddress } from './host.ts'
import type { Identity } from './identity.ts'
import { openConnection, type SshConnection } from './ssh-connection.ts'
import { destination, knownHostsLine, readHostKey, sshOptions } from './ssh-options.ts'

export type SharedConnection = {
  /** The words that call ssh for this server, up to its destination, over the connection that there is now. */
  ssh(): readonly ['ssh', ...string[]]
  /** Resolves when there is a connection, with a certificate that is good for some minutes. */
  ensure(): Promise<void>
  /** The key that the server must show; null until the first connection has pinned one. */
  hostKey(): string | null
  /** Lets the running commands finish, then disconnects. A later command connects again. */
  retire(): void
  /** Disconnects at once; from then on every command is refused. */
  close(): Promise<void>
}

export type SharedConnectionOptions = {
  readonly folder: string
  readonly identity: Identity
  /** Told the key that the first connection met. When it rejects, nothing runs on the server. */
  readonly onHostKey: (serverId: number, hostKey: string) => Promise<void>
}

export function createSharedConnection(
  server: ServerAddress,
  { folder, identity, onHostKey }: SharedConnectionOptions,
): SharedConnection {
  const name = randomBytes(4).toString('hex')
  const files = {
    key: identity.keyFile,
    certificate: identity.certificateFile(server),
    knownHosts: join(folder, `hosts-${name}`),
    // One that is let go of may have commands on it: the next one has a socket of its own.
    control: controlFile(folder, name, 0),
  }
  const stopper = new AbortController()
  const open = new Set<SshConnection>()
  let hostKey = server.hostKey
  let current: Promise<SshConnection> | undefined
  let idle: NodeJS.Timeout | undefined
  let count = 0

  const connect = async (): Promise<SshConnection> => {
    count += 1
    files.control = controlFile(folder, name, count)
    const isFirst = hostKey === null
    if (hostKey === null) await rm(files.knownHosts, { force: true })
    else await writeFile(files.knownHosts, knownHostsLine(server, hostKey), { mode: 0o600 })
    const options = sshOptions(server, files, isFirst ? 'accept-new' : 'yes')
    const ssh = ['ssh', ...options, '-o', 'ControlMaster=yes', ...destination(server)] as const
    const connection = await openConnection({ server, controlFile: files.control, ssh, signal: stopper.signal })
    open.add(connection)
    void connection.ended.then(() => open.delete(connection))
    if (isFirst) await pin().catch((error) => connection.close().then(() => Promise.reject(error)))
    return connection
  }

  const pin = async (): Promise<void> => {
    const met = readHostKey(server, await readFile(files.knownHosts, 'utf8'))
    if (met === undefined) throw new Error(`ssh did not write down the host key of ${server.name}`)
    await onHostKey(server.id, met)
    hostKey = met
  }

  const keepUntilItEnds = (attempt: Promise<SshConnection>): Promise<SshConnection> => {
    const forget = (): void => {
      if (current === attempt) current = undefined
    }
    attempt.then((connection) => connection.ended.then(forget), forget)
    return attempt
  }

  const retire = (): void => {
    const attempt = current
    current = undefined
    attempt?.then(
      (connection) => connection.retire(),
      () => undefined,
    )
  }

  return {
    ssh: () => ['ssh', ...sshOptions(server, files, 'yes'), '-o', 'ControlMaster=no'],
    hostKey: () => hostKey,
    ensure: async () => {
      if (stopper.signal.aborted) throw new PlatformStopping()
      identity.renew(server)
      current ??= keepUntilItEnds(connect())
      await current
      clearTimeout(idle)
      if (!stopper.signal.aborted) idle = setTimeout(retire, IDLE_MS)
    },
    retire,
    close: async () => {
      stopper.abort()
      clearTimeout(idle)
      await Promise.allSettled([current])
      await Promise.all([...open].map((connection) => connection.close()))
    },
  }
}

/** Longer than between two looks at a server of a small installation; a large one would have a process for each of its servers. */
const IDLE_MS = 60_000

const controlFile = (folder: string, name: string, count: number): string => join(folder, `c-${name}-${count}`)
