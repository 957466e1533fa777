// Keeps one connection to a server: made when it is needed, made again after it broke, ended when nobody has needed it for a while, with
// the server's key pinned.
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerAddress } from '../../domain/server-address.ts'
import { PlatformStopping, ServerUnreachable } from '../host.ts'
import type { Identity } from './identity.ts'
import { openConnection, type SshConnection } from './ssh-connection.ts'
import { changedMeanwhile, foreignMachine, NoShell, notSignedInYet } from './ssh-failure.ts'
import { destination, knownHostsLine, readHostKey, sshOptions } from './ssh-options.ts'

export type SharedConnection = {
  /** The words that call ssh for this server, up to its destination. They lead to the address that was connected to last. */
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
  /** Where the platform may connect to for this server, now. Throws ServerUnreachable. */
  readonly resolve: (server: ServerAddress) => Promise<readonly string[]>
  /**
   * Told at each connection which key the machine proved to have that let the platform in. Nothing runs on a machine that is not
   * the organization's own, nor when it rejects.
   */
  readonly onSignIn: (server: ServerAddress, hostKey: string) => Promise<'own' | 'foreign' | 'changed'>
}

/** Told when the connection is let go of: whatever keeps it open without need ends. */
type OnRetire = () => void

export function createSharedConnection(
  record: ServerAddress,
  { folder, identity, resolve, onSignIn }: SharedConnectionOptions,
  onRetire: OnRetire,
): SharedConnection {
  const name = randomBytes(4).toString('hex')
  const files = {
    key: identity.keyFile,
    certificate: identity.certificateFile(record),
    knownHosts: join(folder, `hosts-${name}`),
    // One that is let go of may have commands on it: the next one has a socket of its own.
    control: controlFile(folder, name, 0),
  }
  const stopper = new AbortController()
  const open = new Set<SshConnection>()
  // As the record is once the platform has signed in.
  let server = record
  let lastAddress = nowhere
  let current: Promise<SshConnection> | undefined
  let idle: NodeJS.Timeout | undefined
  let count = 0

  const connect = async (): Promise<SshConnection> => {
    const connection = await openSomewhere().catch((error: unknown) => {
      throw isHidden(error) ? notSignedInYet(server, error) : error
    })
    open.add(connection)
    void connection.ended.then(() => open.delete(connection))
    await judge().catch((error) => connection.close().then(() => Promise.reject(error)))
    return connection
  }

  /** NoShell: the machine let the platform in, but ran nothing. */
  const isHidden = (error: unknown): error is ServerUnreachable =>
    !server.hasSignedIn &&
    error instanceof ServerUnreachable &&
    !(error instanceof NoShell || error instanceof PlatformStopping)

  /** A name may have several addresses. One that answers at once that nobody listens there leaves time for the next. */
  const openSomewhere = async (): Promise<SshConnection> => {
    const addresses = [...(await resolve(server))]
    const end = performance.now() + nextAddressMs
    for (;;) {
      try {
        return await openAt(addresses.shift() ?? nowhere)
      } catch (error) {
        const isNobodyThere = error instanceof ServerUnreachable && error.stage === 'connect'
        const isOver = stopper.signal.aborted || performance.now() > end
        if (!isNobodyThere || isOver || addresses.length === 0) throw error
      }
    }
  }

  const openAt = async (address: string): Promise<SshConnection> => {
    count += 1
    files.control = controlFile(folder, name, count)
    const { hostKey } = server
    if (hostKey === null) await rm(files.knownHosts, { force: true })
    else await writeFile(files.knownHosts, knownHostsLine(server, hostKey), { mode: 0o600 })
    const options = sshOptions(server, files, { address, hostKeys: hostKey === null ? 'accept-new' : 'yes' })
    const ssh = ['ssh', ...options, '-o', 'ControlMaster=yes', ...destination(server)] as const
    const connection = await openConnection({ server, controlFile: files.control, ssh, signal: stopper.signal })
    lastAddress = address
    return connection
  }

  const judge = async (): Promise<void> => {
    const hostKey = readHostKey(server, await readFile(files.knownHosts, 'utf8'))
    if (hostKey === undefined) throw new Error(`ssh did not write down the host key of ${server.name}`)
    const judgement = await onSignIn(server, hostKey)
    if (judgement === 'foreign') throw foreignMachine(server)
    if (judgement === 'changed') throw changedMeanwhile(server)
    server = { ...server, hostKey, hasSignedIn: true }
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
    onRetire()
    attempt?.then(
      (connection) => connection.retire(),
      () => undefined,
    )
  }

  return {
    ssh: () => [
      ...(['ssh', ...sshOptions(server, files, { address: lastAddress, hostKeys: 'yes' })] as const),
      ...['-o', 'ControlMaster=no'],
    ],
    hostKey: () => server.hostKey,
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
      onRetire()
      await Promise.allSettled([current])
      await Promise.all([...open].map((connection) => connection.close()))
    },
  }
}

/** Longer than between two looks at a server of a small installation; a large one would have a process for each of its servers. */
const IDLE_MS = 60_000

const controlFile = (folder: string, name: string, count: number): string => join(folder, `c-${name}-${count}`)

/** A name that leads nowhere (RFC 6761). */
const nowhere = 'unresolved.invalid'

/** Two addresses that are silent would be more than a check waits for. */
const nextAddressMs = 5_000
