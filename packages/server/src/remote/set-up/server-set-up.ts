// The set-up of servers: the public script, and the line to paste that runs it.
import { hasNodes } from '@shipway/api/values/runtime-facts'
import { readableLine } from '../../commands/command.ts'
import { loadCommented } from '../../commands/script.ts'
import { commentedStatsScript } from '../../commands/stats.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Secret } from '../../secrets/secret.ts'

export type EdgeTemplates = {
  /** The edge's configuration with placeholders, which the script fills in on the server. */
  readonly template: string
  /** The same for managers of a Swarm, and the first and last of its balance groups. */
  readonly balanced: string
  readonly groups: { readonly first: number; readonly last: number }
}

/** Contains no secret and is the same for every server. */
export function setUpScript({ template: edgeTemplate, balanced, groups }: EdgeTemplates): string {
  return loadCommented(import.meta.url, ...parts)
    .replace('@edge_files@', () => filesOf(edgeTemplate).join(' '))
    .replace('@edge_configuration@', () => edgeTemplate.trimEnd())
    .replace('@balanced_edge_configuration@', () => balanced.trimEnd())
    .replace('@first_group@', String(groups.first))
    .replace('@last_group@', String(groups.last))
    .replace('@command_program@', () => loadCommented(import.meta.url, 'commands').trimEnd())
    .replace('@registry_program@', () => registryProgram().trimEnd())
    .replace('@node_program@', () => nodeProgram().trimEnd())
    .replace('@usage_program@', () => usageProgram().trimEnd())
}

/** Runs the registry of a manager: FOLDER. */
export const registryProgram = (): string => loadCommented(import.meta.url, 'registry')

/** Keeps a node of a Swarm in order. */
export const nodeProgram = (): string => loadCommented(import.meta.url, 'swarm-node')

/** Prints what a node of a Swarm and its containers use. */
export const usageProgram = (): string => loadCommented(import.meta.url, 'swarm-usage') + commentedStatsScript()

const parts = [
  ...['beginning', 'packages', 'metadata', 'account', 'sshd', 'people', 'edge', 'commands', 'registry'],
  ...['swarm', 'usage', 'end-of-node', 'end'],
].map((name) => `server/${name}`)

/** HAProxy starts only if the maps and lists that its configuration names exist. */
function filesOf(edgeTemplate: string): string[] {
  const named = edgeTemplate.matchAll(/@folder@\/([a-z]+\.(?:map|list))\b/g)
  return [...new Set([...named].map(([, name = '']) => name))]
}

export type Installation = {
  readonly baseUrl: string
  readonly installationId: string
  readonly sshAuthorityKey: string
  /** The certificate that nodes of a server trust for its registries, in DER. */
  readonly registryAuthority: (serverId: number) => Buffer
}

export type ServerToSetUp = Pick<ServerAddress, 'id' | 'connection' | 'unixUser' | 'principal' | 'runtime'> & {
  /** Authority for the people of its organization; null before there is one. */
  readonly peopleAuthorityKey: string | null
}

/** Null for the platform's own machine, which needs no ssh access. */
export function setUpLine(installation: Installation, server: ServerToSetUp): string | null {
  if (server.connection === 'local') return null
  return scriptLine(installation, [...serverWords(installation, server)])
}

export type SwarmToJoin = {
  readonly role: 'worker' | 'manager'
  readonly token: Secret
  /** Of a manager, for other nodes. */
  readonly address: string
}

/** The line that makes a machine a node of a Swarm. It holds a secret. A manager is set up as the server is, so that it can take over. */
export function joinLine(installation: Installation, server: ServerToSetUp, join: SwarmToJoin): string {
  const manager = join.address.includes(':') ? `[${join.address}]:2377` : `${join.address}:2377`
  const words =
    join.role === 'manager'
      ? serverWords(installation, server)
      : ['--installation', installation.installationId, ...swarmWords(installation, server, 'worker')]
  return scriptLine(installation, [...words, '--join', join.token.reveal(), '--manager', manager])
}

function serverWords(installation: Installation, server: ServerToSetUp): readonly string[] {
  const words = ['--installation', installation.installationId, '--user', server.unixUser]
  const trust = ['--principal', server.principal, '--authority', installation.sshAuthorityKey]
  const people = server.peopleAuthorityKey === null ? [] : ['--people', server.peopleAuthorityKey]
  const swarm = hasNodes[server.runtime] ? swarmWords(installation, server, 'manager') : []
  return [...words, ...trust, ...people, ...swarm]
}

const swarmWords = (
  installation: Installation,
  { id }: ServerToSetUp,
  role: SwarmToJoin['role'],
): readonly string[] => [
  ...['--swarm', role, '--registry-authority', installation.registryAuthority(id).toString('base64')],
]

function scriptLine({ baseUrl }: Installation, words: readonly string[]): string {
  return `${readableLine(['curl', '-fsSL', `${baseUrl}/server.sh`])} | ${readableLine(['sudo', 'sh', '-s', '--', ...words])}`
}
