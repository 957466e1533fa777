// What can be asked of servers outside of a task: how a machine becomes one, and whether it has what it needs.
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Hosts } from '../hosts.ts'
import { createCheckLimit } from './check-limit.ts'
import { type CheckOptions, checkServer, type Inspection } from './check-server.ts'
import { type Installation, type ServerToSetUp, setUpLine, setUpScript } from './server-set-up.ts'

export type Servers = {
  /** Makes a machine a server. Public: it holds no secret. */
  readonly setUpScript: string
  /** What to paste on the machine; null for the platform's own. */
  setUpLine(server: ServerToSetUp): string | null
  /**
   * Throws ServerNotReached and ServerTimeout, and TooManyChecks. `tellsAll` is for platform administrators: others learn nothing of
   * what listens at an address before the platform has signed in there.
   */
  inspect(server: RegisteredServer, options: { readonly tellsAll: boolean }): Promise<Inspection>
}

type RegisteredServer = ServerAddress &
  ServerToSetUp & {
    readonly organizationId: number
    readonly edge: 'haproxy' | 'embedded'
  }

type ServersOptions = Installation & {
  readonly hosts: Pick<Hosts, 'of' | 'forget'>
  readonly dataFolder: string
  /** The configuration of the edge with blanks, and whether a file is such a configuration. */
  readonly edge: { readonly template: string; readonly isOwn: (text: string, folder: string) => boolean }
}

export function createServers({ hosts, dataFolder, edge, ...installation }: ServersOptions): Servers {
  const { installationId } = installation
  const inTurn = createCheckLimit('servers')
  return {
    setUpScript: setUpScript(edge.template),
    setUpLine: (server) => setUpLine(installation, server),
    inspect: async (server, { tellsAll }) => {
      const options = {
        installationId,
        folder: server.connection === 'local' ? `${dataFolder}/server/${installationId}` : undefined,
        edge: server.edge,
        setUpLine: setUpLine(installation, server),
        people: peopleOf(server),
        isEdgeConfig: edge.isOwn,
        tellsAll,
      }
      const inspection = await inTurn(server.organizationId, () => checkServer(hosts.of(server), options))
      // What is mended shows at the next check: the groups of a user are those of the sign-in.
      if (inspection.checks.some(({ status }) => status === 'failed')) hosts.forget(server.id)
      return inspection
    },
  }
}

/** Nobody signs in to the platform's own machine through the platform. */
function peopleOf({ connection, peopleAuthorityKey, principal }: RegisteredServer): CheckOptions['people'] {
  if (connection === 'local' || peopleAuthorityKey === null) return undefined
  return { authorityKey: peopleAuthorityKey, principal }
}
