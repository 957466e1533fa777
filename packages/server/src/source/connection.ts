/**
 * Everything one git call needs to reach a repository: the checked addresses of its host, for ssh the project's key and the host key, for
 * https a token where the project has one. Secrets are files in a folder that exists only while the call runs.
 */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseRepositoryAddress, type RepositoryParts } from '@shipway/api/values/repository-address'
import { shellLine } from '../commands/command.ts'
import type { Resolve } from '../network/resolve-allowed.ts'
import type { Secret } from '../secrets/secret.ts'
import { gitEnvironment } from './git-environment.ts'
import { type RepositoryTokens, useWithToken } from './repository-tokens.ts'
import { resolveRepositoryHost } from './resolve-repository-host.ts'
import { SourceError, type SourceFault } from './source-error.ts'
import { undefinedIfMissing } from './undefined-if-missing.ts'
import { NEW_CONNECTION, type SshRoute, type WarmConnections } from './warm-connections.ts'

export type Repository = {
  readonly projectId: number
  readonly address: string
  /** For the error that says which key to add. */
  readonly publicKey: string
  readonly privateKey: Secret
  /** `ssh-ed25519 AAAA…`; null until the first connection. */
  readonly hostKey: string | null
  /** For https, of a project whose connection hands out tokens. */
  readonly tokens?: RepositoryTokens | undefined
}

export type Connection = {
  readonly repository: Repository
  readonly environment: Readonly<Record<string, string>>
  /** For git, as `name=value`. */
  readonly settings: readonly string[]
  readonly folder: string
}

export type ConnectOptions = {
  /** Parent of the connections' folders. */
  readonly folder: string
  readonly allowedNetworks: readonly string[]
  readonly resolve?: Resolve
  /** Stores the key of a host at the first connection. */
  readonly onHostKey?: ((projectId: number, hostKey: string) => void | Promise<void>) | undefined
  readonly warm?: WarmConnections | undefined
  /** A file of certificates, in place of the system's. */
  readonly authoritiesFile?: string | undefined
}

export async function connect<Result>(
  repository: Repository,
  { folder, allowedNetworks, resolve, onHostKey, warm, authoritiesFile }: ConnectOptions,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const parts = parseRepositoryAddress(repository.address)
  const addresses = await resolveRepositoryHost(repository.address, { allowedNetworks, resolve })
  const [address] = addresses
  if (!parts) throw new SourceError('address_not_allowed', `${repository.address} is not the address of a repository`)
  // Synchronous: writing files of some bytes is faster than waiting for a thread.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = mkdtempSync(join(folder, 'connection-'))
  // git would search the parents of its working folder for a repository and use its settings.
  const base = { ...gitEnvironment([parts.protocol]), GIT_CEILING_DIRECTORIES: dirname(own) }
  try {
    if (parts.protocol === 'https') {
      const settings = [
        `http.curloptResolve=${parts.host}:${parts.port ?? 443}:${addresses.map(bracketed).join()}`,
        ...(authoritiesFile === undefined ? [] : [`http.sslCAInfo=${authoritiesFile}`]),
      ]
      const connection = { repository, environment: base, settings, folder: own }
      return await (repository.tokens ? useWithToken(connection, repository.tokens, use) : use(connection))
    }
    const call = async (): Promise<Result> => {
      const way = warm ? await warm.routeTo(repository, address) : NEW_CONNECTION
      const command = writeKeys(repository, { folder: own, parts, address, way })
      const environment = { ...base, GIT_SSH_COMMAND: command }
      return use({ repository, environment, settings: [], folder: own }).catch(async (error: unknown) => {
        if (way.file === null || !way.isShared || !mayBeConnection(error)) throw error
        await warm?.end(way.file)
        return call()
      })
    }
    const result = await call()
    if (repository.hostKey === null) await onHostKey?.(repository.projectId, await readHostKey(own))
    return result
  } finally {
    rmSync(own, { recursive: true, force: true })
    await sweepConnections(folder)
  }
}

/** A shared connection may have died unnoticed: a retry with a new one shows what is wrong. All git calls here can be repeated. */
const mayBeConnection = (error: unknown): boolean =>
  error instanceof SourceError && connectionFaults.includes(error.code)

const connectionFaults: readonly SourceFault[] = ['unreachable', 'failed', 'repository_not_found']

/** A killed platform leaves keys behind. No call takes an hour. */
export async function sweepConnections(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // Another call may have removed its folder meanwhile.
    const found = await stat(path).catch(undefinedIfMissing)
    if (found && found.mtimeMs < Date.now() - 3_600_000) await rm(path, { recursive: true, force: true })
  }
}

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/** git runs this line with a shell, and appends the port, the user and the hostname. */
function writeKeys(
  { privateKey, hostKey }: Repository,
  { folder, parts, address, way }: { folder: string; parts: RepositoryParts; address: string; way: SshRoute },
): string {
  const [keyFile, knownHosts] = [join(folder, 'key'), join(folder, 'known_hosts')]
  chmodSync(folder, 0o700)
  writeFileSync(keyFile, privateKey.reveal(), { mode: 0o600 })
  writeFileSync(knownHosts, hostKey === null ? '' : `${parts.host} ${hostKey}\n`, { mode: 0o600 })
  const options = {
    IdentityFile: keyFile,
    UserKnownHostsFile: knownHosts,
    StrictHostKeyChecking: hostKey === null ? 'accept-new' : 'yes',
    // ssh connects to the address that we have checked, and verifies the host key by the host's name.
    HostName: address,
    HostKeyAlias: parts.host,
    ...way.options,
    ...constantOptions,
  }
  return shellLine([
    'ssh',
    '-F',
    'none',
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
  ])
}

const constantOptions = {
  IdentitiesOnly: 'yes',
  IdentityAgent: 'none',
  PreferredAuthentications: 'publickey',
  BatchMode: 'yes',
  GlobalKnownHostsFile: '/dev/null',
  HashKnownHosts: 'no',
  UpdateHostKeys: 'no',
  CheckHostIP: 'no',
  ForwardAgent: 'no',
  ClearAllForwardings: 'yes',
  ConnectTimeout: '10',
  ServerAliveInterval: '15',
  ServerAliveCountMax: '3',
  LogLevel: 'ERROR',
} as const

async function readHostKey(folder: string): Promise<string> {
  const line = (await readFile(join(folder, 'known_hosts'), 'utf8')).trim()
  const [, type, key] = /^\S+ (\S+) (\S+)$/.exec(line) ?? []
  if (!type || !key) throw new Error('ssh did not write down the host key that it met')
  return `${type} ${key}`
}
