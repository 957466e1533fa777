// The set-up of servers: the public script, and the line to paste that runs it.
import { readableLine } from '../../commands/command.ts'
import { loadCommented } from '../../commands/script.ts'
import type { ServerAddress } from '../../domain/server-address.ts'

/** Contains no secret and is the same for every server. The script fills in the placeholders of `edgeTemplate` on the server. */
export function setUpScript(edgeTemplate: string): string {
  return loadCommented(import.meta.url, ...parts)
    .replace('@edge_files@', () => filesOf(edgeTemplate).join(' '))
    .replace('@edge_configuration@', () => edgeTemplate.trimEnd())
    .replace('@command_program@', () => loadCommented(import.meta.url, 'commands').trimEnd())
}

const parts = ['beginning', 'packages', 'metadata', 'account', 'sshd', 'people', 'edge', 'commands', 'end'].map(
  (name) => `server/${name}`,
)

/** HAProxy starts only if the maps and lists that its configuration names exist. */
function filesOf(edgeTemplate: string): string[] {
  const named = edgeTemplate.matchAll(/@folder@\/([a-z]+\.(?:map|list))\b/g)
  return [...new Set([...named].map(([, name = '']) => name))]
}

export type Installation = {
  readonly baseUrl: string
  readonly installationId: string
  readonly sshAuthorityKey: string
}

export type ServerToSetUp = Pick<ServerAddress, 'connection' | 'unixUser' | 'principal'> & {
  /** Authority for the people of its organization; null before there is one. */
  readonly peopleAuthorityKey: string | null
}

/** Null for the platform's own machine, which needs no ssh access. */
export function setUpLine(installation: Installation, server: ServerToSetUp): string | null {
  if (server.connection === 'local') return null
  const words = ['--installation', installation.installationId, '--user', server.unixUser]
  const fetch = readableLine(['curl', '-fsSL', `${installation.baseUrl}/server.sh`])
  const trust = ['--principal', server.principal, '--authority', installation.sshAuthorityKey]
  const people = server.peopleAuthorityKey === null ? [] : ['--people', server.peopleAuthorityKey]
  return `${fetch} | ${readableLine(['sudo', 'sh', '-s', '--', ...words, ...trust, ...people])}`
}
