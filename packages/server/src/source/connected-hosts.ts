// The APIs of git hosts that organizations have connected: finds and reads repositories, adds deploy keys and webhooks, and removes them
// again.
import type { RepositoryReading } from '../domain/repository/repository-reading.ts'
import { createCheckLimit } from '../remote/set-up/check-limit.ts'
import { limitByOwner } from '../scheduling/limit-by-owner.ts'
import { apiBaseOf } from './git-host/api-base.ts'
import type { HostCall } from './git-host/api-dialect.ts'
import { askWithToken } from './git-host/ask-with-token.ts'
import { callHost } from './git-host/call-host.ts'
import { type AskConnectedHost, type ConnectedHost, dialectOf } from './git-host/connected/connected-host.ts'
import { createRepositoryAccess } from './git-host/connected/repository-access.ts'
import { createRepositorySearch } from './git-host/connected/repository-search.ts'
import { READING } from './git-host/reading/reading-dialects.ts'
import { readRepositoryAtHost } from './read-repository-at-host.ts'

type HostApi = {
  readonly host: ConnectedHost
  readonly api: string
  readonly authorization: (token: string) => Readonly<Record<string, string>>
}

const READING_DEADLINE_MS = 60_000
const CALLERS_OF_ORGANIZATION = 4
const MOST_QUEUED = 20

export type ConnectedHosts = ReturnType<typeof createConnectedHosts>

type ConnectedHostsOptions = {
  readonly allowedNetworks: readonly string[]
  /** Replaces the usual base of a host's API. */
  readonly base?: string | undefined
  /** Certificates of authorities, as PEM, in place of those of Node. */
  readonly authorities?: string | undefined
}

/** Calls reject as `callHost` does. */
export function createConnectedHosts({ allowedNetworks, base, authorities }: ConnectedHostsOptions) {
  const ask: AskConnectedHost = (host, call) => {
    const { authorization, apiOf } = dialectOf(host.connection)
    return askAt({ host, api: apiOf(host.connection.baseUrl), authorization }, call)
  }

  const askAt = ({ host, api, authorization }: HostApi, call: HostCall, signal?: AbortSignal): Promise<unknown> =>
    askWithToken(host, (token) =>
      callHost(base ?? api, call, { headers: authorization(token.reveal()), allowedNetworks, authorities, signal }),
    )

  return {
    ...createRepositorySearch(ask),
    ...createRepositoryAccess(ask),

    /**
     * Limits what one organization asks of git hosts at once: each chooses its host, which may hold a call for seconds and fill the memory
     * with its answer. Throws Busy.
     */
    waitTurn: limitByOwner({ concurrency: CALLERS_OF_ORGANIZATION, maxQueued: MOST_QUEUED }),

    /** Limits how many repositories are read at once. Throws TooManyChecks. */
    takeTurn: createCheckLimit('repositories'),

    /** The files of a repository that no project has yet. Undefined if there is no such branch. */
    readRepository(
      host: ConnectedHost,
      wanted: { readonly name: string; readonly branch: string },
    ): Promise<RepositoryReading | undefined> {
      const signal = AbortSignal.timeout(READING_DEADLINE_MS)
      const { type } = host.connection
      const at = { host, api: apiBaseOf(host.connection), authorization: READING[type].authorization }
      return readRepositoryAtHost({ type, ask: (call) => askAt(at, call, signal) }, wanted)
    },
  }
}
