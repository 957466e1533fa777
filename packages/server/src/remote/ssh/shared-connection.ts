// Keeps one connection to a server: opens it on demand, reopens it after it broke, closes it when idle, and pins the server's host key.
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
  /** The ssh command for this server, up to its destination. It uses the address of the last connection. */
  ssh(): readonly ['ssh', ...string[]]
  /** Resolves when there is a connection, with a certificate that is valid for some minutes. */
  ensure(): Promise<void>
  /** The pinned host key; null before the first connection. */
  hostKey(): string | null
  /** Lets the running commands finish, then disconnects. A later command connects again. */
  retire(): void
  /** Disconnects at once and refuses all later commands. */
  close(): Promise<void>
}

export type SharedConnectionOptions = {
  readonly folder: string
  readonly identity: Identity
  /** Resolves the current addresses that the platform may connect to. Throws ServerUnreachable. */
  readonly resolve: (server: ServerAddress) => Promise<readonly string[]>
  /**
   * Called at each connection with the host key that the machine has proved to own. Nothing runs on a machine of another organization, nor
   * if this rejects.
   */
  readonly onSignIn: (server: ServerAddress, hostKey: string) => Promise<'own' | 'foreign' | 'changed'>
}

/** Called when the connection is given up, so that users of it close what keeps it open. */
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
    // A connection that is given up may still run commands: the next one gets another socket.
    control: controlFile(folder, name, 0),
  }
  const stopper = new AbortController()
  const open = new Set<SshConnection>()
  // The server's record, updated once the platform has signed in.
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
    await checkSignIn().catch((error) => connection.close().then(() => Promise.reject(error)))
    return connection
  }

  /** NoShell: the machine let the platform in, but ran nothing. */
  const isHidden = (error: unknown): error is ServerUnreachable =>
    !server.hasSignedIn &&
    error instanceof ServerUnreachable &&
    !(error instanceof NoShell || error instanceof PlatformStopping)

  /** A name may have several addresses. If one refuses the connection at once, there is time for the next. */
  const openSomewhere = async (): Promise<SshConnection> => {
    const addresses = [...(await resolve(server))]
    const end = performance.now() + nextAddressMs
    for (;;) {
      try {
        return await openAt(addresses.shift() ?? nowhere)
      } catch (error) {
        const isUnreachable = error instanceof ServerUnreachable && error.stage === 'connect'
        const isOver = stopper.signal.aborted || performance.now() > end
        if (!isUnreachable || isOver || addresses.length === 0) throw error
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

  const checkSignIn = async (): Promise<void> => {
    const hostKey = readHostKey(server, await readFile(files.knownHosts, 'utf8'))
    if (hostKey === undefined) throw new Error(`ssh did not write down the host key of ${server.name}`)
    const answer = await onSignIn(server, hostKey)
    if (answer === 'foreign') throw foreignMachine(server)
    if (answer === 'changed') throw changedMeanwhile(server)
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

/** Longer than the interval between two checks of a server in a small installation. A large one would keep a process for each server. */
const IDLE_MS = 60_000

const controlFile = (folder: string, name: string, count: number): string => join(folder, `c-${name}-${count}`)

/** A name that never resolves (RFC 6761). */
const nowhere = 'unresolved.invalid'

/** Two unresponsive addresses would take longer than the deadline of a check. */
const nextAddressMs = 5_000
