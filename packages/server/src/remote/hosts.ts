// The hosts of this process: one per server, created on first use.

import { rm } from 'node:fs/promises'
import type { ServerAddress } from '../domain/server-address.ts'
import type { Resolve } from '../network/resolve-allowed.ts'
import { type Host, localGit } from './host.ts'
import { createLocalShells } from './local-shells.ts'
import { createIdentity } from './ssh/identity.ts'
import { createProbe, type Probe } from './ssh/probe.ts'
import { resolveServer } from './ssh/resolve-server.ts'
import type { SharedConnectionOptions } from './ssh/shared-connection.ts'
import type { SshAuthority } from './ssh/ssh-authority.ts'
import { makeSshFolder } from './ssh/ssh-folder.ts'
import { createSshHost, type SshHost } from './ssh/ssh-host.ts'

export type Hosts = {
  /** Returns the same host for the same address; a changed address gets a new connection. */
  of(server: ServerAddress): Host
  /** The same machine over a connection of its own: following logs for hours takes no session from a deployment. */
  forLogs(server: ServerAddress): Host
  /** Another manager of a Swarm than the one in use, over a connection of its own. */
  ofManager(server: ServerAddress): Host
  /** For a server that was deleted or whose pinned key was reset: running commands finish, then it disconnects. */
  forget(serverId: number): void
  /** Checks that something answers at the address of a server. Rejects if not, and if the platform may not connect to it. */
  readonly probe: Probe
  /** This process's public key for signing in to servers. */
  readonly publicKey: string
  /** Ends every connection. Running commands are cut off and later ones refused. */
  close(): Promise<void>
}

export type HostsOptions = Pick<SharedConnectionOptions, 'onSignIn'> & {
  /** Folder for the files of ssh; /tmp is used instead if its path is too long for sockets. */
  readonly folder: string
  readonly authority: Pick<SshAuthority, 'certify'>
  /** Private networks that the servers of every organization may be in. */
  readonly allowedNetworks: readonly string[]
  /** Replaces DNS in tests. */
  readonly lookup?: Resolve
  /** Variables for commands on this machine. */
  readonly localEnvironment?: Readonly<Record<string, string>>
}

export function createHosts({ folder, authority, onSignIn, localEnvironment, ...resolveOptions }: HostsOptions): Hosts {
  const own = makeSshFolder(folder)
  const resolve = (server: ServerAddress): Promise<readonly string[]> => resolveServer(server, resolveOptions)
  const options = { folder: own, identity: createIdentity(own, authority), resolve, onSignIn }
  const current: ConnectedHosts = new Map()
  const currentForLogs: ConnectedHosts = new Map()
  /** By server, and then by the address of the manager. */
  const managers = new Map<number, Map<string, ConnectedHosts>>()
  const shells = createLocalShells(localEnvironment)
  const here = (name: string): Host => ({ ...shells, name, git: localGit })
  // Tasks may still use a host that was replaced, so all of them are closed at the end.
  const all = new Set<SshHost>()

  const forgetOf = (connected: ConnectedHosts, serverId: number): void => {
    connected.get(serverId)?.host.retire()
    connected.delete(serverId)
  }
  const hostOf = (connected: ConnectedHosts, server: ServerAddress): Host => {
    if (server.connection === 'local') return here(server.name)
    const known = connected.get(server.id)
    if (known && isSameAddress(known.server, server) && isSameKey(known.host, server)) return known.host
    forgetOf(connected, server.id)
    const host = createSshHost(server, options)
    connected.set(server.id, { server, host })
    all.add(host)
    return host
  }

  return {
    of: (server) => hostOf(current, server),
    forLogs: (server) => hostOf(currentForLogs, server),
    ofManager: (server) => {
      const place = `${server.hostname} ${server.port}`
      const ofServer = managers.get(server.id) ?? new Map<string, ConnectedHosts>()
      const connected = ofServer.get(place) ?? new Map()
      managers.set(server.id, ofServer.set(place, connected))
      return hostOf(connected, server)
    },
    forget: (serverId) => {
      forgetOf(current, serverId)
      forgetOf(currentForLogs, serverId)
      for (const connected of managers.get(serverId)?.values() ?? []) forgetOf(connected, serverId)
      managers.delete(serverId)
    },
    probe: createProbe(resolve),
    publicKey: options.identity.publicKey,
    close: async () => {
      await Promise.all([shells, ...all].map((one) => one.close()))
      await rm(own, { recursive: true, force: true })
    },
  }
}

type ConnectedHosts = Map<number, { readonly server: ServerAddress; readonly host: SshHost }>

function isSameAddress(one: ServerAddress, other: ServerAddress): boolean {
  return addressFields.every((name) => one[name] === other[name])
}

const addressFields = ['name', 'connection', 'hostname', 'port', 'unixUser', 'principal', 'mayBePrivate'] as const

/** A record that was read before the first connection does not contain the key yet. */
function isSameKey(host: SshHost, server: ServerAddress): boolean {
  const pinned = host.hostKey()
  return pinned === null || server.hostKey === null || pinned === server.hostKey
}
