// Set-up and checks of servers outside of a task.
import { balancesTasks } from '@shipway/api/values/runtime-facts'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Hosts } from '../hosts.ts'
import { createCheckLimit } from './check-limit.ts'
import { type CheckOptions, checkServer, type Inspection } from './check-server.ts'
import {
  type EdgeTemplates,
  type Installation,
  joinLine,
  type ServerToSetUp,
  type SwarmToJoin,
  setUpLine,
  setUpScript,
} from './server-set-up.ts'

export type Servers = {
  /** Makes a machine a server. Public: it contains no secret. */
  readonly setUpScript: string
  /** The line to paste on the machine; null for the platform's own. */
  setUpLine(server: ServerToSetUp): string | null
  /** The line that joins a machine to a Swarm. It holds a secret. */
  joinLine(server: ServerToSetUp, join: SwarmToJoin): string
  /**
   * Throws ServerNotReached, ServerTimeout and TooManyChecks. `showsDetails` is for platform administrators: other users must not learn what
   * listens at an address before the platform has signed in there.
   */
  inspect(server: RegisteredServer, options: { readonly showsDetails: boolean }): Promise<Inspection>
}

type RegisteredServer = ServerAddress &
  ServerToSetUp & {
    readonly organizationId: number
    readonly edge: 'haproxy' | 'embedded'
  }

type ServersOptions = Installation & {
  readonly hosts: Pick<Hosts, 'of' | 'forget'>
  readonly dataFolder: string
  /** Templates, and whether a file is such a configuration. */
  readonly edge: EdgeTemplates & {
    readonly isOwn: (text: string, folder: string, kind: { readonly isBalanced: boolean }) => boolean
  }
}

export function createServers({ hosts, dataFolder, edge, ...installation }: ServersOptions): Servers {
  const { installationId } = installation
  const inTurn = createCheckLimit('servers')
  return {
    setUpScript: setUpScript(edge),
    setUpLine: (server) => setUpLine(installation, server),
    joinLine: (server, join) => joinLine(installation, server, join),
    inspect: async (server, { showsDetails }) => {
      const options = {
        installationId,
        folder: server.connection === 'local' ? `${dataFolder}/server/${installationId}` : undefined,
        edge: server.edge,
        runtime: server.runtime,
        setUpLine: setUpLine(installation, server),
        people: peopleOf(server),
        isEdgeConfig: (text: string, file: string) =>
          edge.isOwn(text, file, { isBalanced: balancesTasks[server.runtime] }),
        showsDetails,
      }
      const inspection = await inTurn(server.organizationId, () => {
        // The host key, the certificate and the groups of the user are read at sign-in: an open connection would hide a change.
        hosts.forget(server.id)
        return checkServer(hosts.of(server), options)
      })
      // Deployments, too, sign in again after a fix.
      if (inspection.checks.some(({ status }) => status === 'failed')) hosts.forget(server.id)
      return inspection
    },
  }
}

/** The platform's own machine has no ssh access. */
function peopleOf({ connection, peopleAuthorityKey, principal }: RegisteredServer): CheckOptions['people'] {
  if (connection === 'local' || peopleAuthorityKey === null) return undefined
  return { authorityKey: peopleAuthorityKey, principal }
}
