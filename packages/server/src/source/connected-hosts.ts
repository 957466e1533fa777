// The APIs of git hosts that organizations have connected: finds repositories, adds deploy keys and webhooks, and removes them again.
import type { ConnectionType } from '@shipway/api/connections'
import { RepositoryName } from '@shipway/api/connections'
import type { Connection } from '../domain/connection.ts'
import { branchOf, nameOf, textIdOf, urlOf } from '../domain/repository/reported-values.ts'
import type { RepositoryReading } from '../domain/repository/repository-reading.ts'
import { createCheckLimit } from '../remote/set-up/check-limit.ts'
import { limitByOwner } from '../scheduling/limit-by-owner.ts'
import type { Secret } from '../secrets/secret.ts'
import { apiBaseOf } from './git-host/api-base.ts'
import { askWithToken, type RenewableToken } from './git-host/ask-with-token.ts'
import { callHost, HostRefused } from './git-host/call-host.ts'
import { bitbucket } from './git-host/connected/bitbucket.ts'
import { bitbucketDataCenter } from './git-host/connected/bitbucket-data-center.ts'
import {
  type ConnectedDialect,
  type FoundRepository,
  OUR_NAME,
  type PageStart,
} from './git-host/connected/connected-dialect.ts'
import { gitea } from './git-host/connected/gitea.ts'
import { gitlab } from './git-host/connected/gitlab.ts'
import type { HostCall } from './git-host/dialect.ts'
import { READING } from './git-host/reading/reading-dialects.ts'
import { readRepositoryAtHost } from './read-repository-at-host.ts'
import { SourceError } from './source-error.ts'

/** A connection, opened. */
export type ConnectedHost = RenewableToken & { readonly connection: Pick<Connection, 'type' | 'baseUrl'> }

type HostApi = {
  readonly host: ConnectedHost
  readonly api: string
  readonly authorization: (token: string) => Readonly<Record<string, string>>
}

type WantedKey = {
  readonly publicKey: string
  /** Null until one was added. A key of this id that is no longer the wanted one goes. */
  readonly knownId: string | null
}

type WantedWebhook = {
  readonly url: string
  readonly secret: Secret
  /** Whether the git host has this secret, as far as the platform knows: no host shows it. */
  readonly hasCurrentSecret: boolean
}

const DIALECTS: Readonly<Record<Exclude<ConnectionType, 'github_app'>, ConnectedDialect>> = {
  gitlab,
  gitea,
  forgejo: gitea,
  bitbucket,
  bitbucket_server: bitbucketDataCenter,
}

/** Limit of one list: a search finds the others. */
const MOST_REPOSITORIES = 200
const MOST_PAGES = 20
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
  const ask = (host: ConnectedHost, call: HostCall): Promise<unknown> => {
    const { authorization, apiOf } = dialectOf(host.connection)
    return askAt({ host, api: apiOf(host.connection.baseUrl), authorization }, call)
  }

  const askAt = ({ host, api, authorization }: HostApi, call: HostCall, signal?: AbortSignal): Promise<unknown> =>
    askWithToken(host, (token) =>
      callHost(base ?? api, call, { headers: authorization(token.reveal()), allowedNetworks, authorities, signal }),
    )

  async function whoAmI(host: ConnectedHost) {
    const { whoAmI: who, hasTokensWithoutUser } = dialectOf(host.connection)
    if (!who) return undefined
    const answer = await ask(host, who.call).catch((error: unknown) => {
      if (!hasTokensWithoutUser || !isRefusal(error, 403)) throw error
    })
    return answer === undefined ? undefined : who.read(answer)
  }

  /** Every entry of a list; rejects if it has more pages than are read. */
  async function listAll<Entry>(
    host: ConnectedHost,
    list: (start: PageStart) => HostCall,
    read: (answer: unknown) => readonly Entry[],
  ): Promise<readonly Entry[]> {
    const dialect = dialectOf(host.connection)
    const all: Entry[] = []
    let start: PageStart | undefined = dialect.firstPage
    for (let count = 0; start !== undefined; count++) {
      if (count === MOST_PAGES) throw new Error('The git host lists more entries than are read')
      const answer = await ask(host, list(start))
      const found = read(answer)
      all.push(...found)
      start = found.length === 0 ? undefined : dialect.nextPage(answer, { start, length: found.length })
    }
    return all
  }

  const removeIfThere = async (host: ConnectedHost, call: HostCall): Promise<void> => {
    await ask(host, call).catch((error: unknown) => {
      if (!isRefusal(error, 404)) throw error
    })
  }

  return {
    /** Proves the token. Null if it belongs to no user. */
    async identify(host: ConnectedHost): Promise<string | null> {
      const account = await whoAmI(host)
      if (account) return nameOf(account.name)
      const { search, readSearch, firstPage } = dialectOf(host.connection)
      readSearch(await ask(host, search({ text: '', start: firstPage, accountId: '', ...host.connection })))
      return null
    },

    async searchRepositories(host: ConnectedHost, text: string): Promise<readonly FoundRepository[]> {
      const dialect = dialectOf(host.connection)
      const accountId = dialect.searchesByAccount ? ((await whoAmI(host))?.id ?? '') : ''
      const all = new Map<string, FoundRepository>()
      let start: PageStart | undefined = dialect.firstPage
      for (let count = 0; start !== undefined && count < MOST_PAGES && all.size < MOST_REPOSITORIES; count++) {
        const answer = await ask(host, dialect.search({ text, start, accountId, ...host.connection }))
        const found = dialect.readSearch(answer)
        const before = all.size
        for (const repository of found.flatMap(usable)) all.set(repository.fullName, repository)
        // A page without new entries is a repeated one.
        start = all.size === before ? undefined : dialect.nextPage(answer, { start, length: found.length })
      }
      return [...all.values()].slice(0, MOST_REPOSITORIES)
    },

    /** Undefined if there is none, or the token does not see it. */
    async findRepository(host: ConnectedHost, name: string): Promise<FoundRepository | undefined> {
      const dialect = dialectOf(host.connection)
      const answer = await unlessMissing(ask(host, dialect.getRepository(name)))
      const [repository] = answer === undefined ? [] : usable(dialect.readRepository(answer))
      const { defaultBranch } = dialect
      if (!repository || !defaultBranch) return repository
      const branch = await unlessMissing(ask(host, defaultBranch.get(name)))
      return branch === undefined
        ? repository
        : { ...repository, defaultBranch: branchOf(defaultBranch.read(branch)) ?? null }
    },

    /**
     * The id of a repository; rejects if another repository than the one with this id has the name now. Before a key or a webhook is added:
     * the account that has taken a freed name must not get them.
     */
    async proveRepository(host: ConnectedHost, name: string, id: string | null): Promise<string> {
      const { getRepository, readRepository } = dialectOf(host.connection)
      const found = textIdOf(readRepository(await ask(host, getRepository(name))).id)
      if (found === undefined) throw new Error('The git host has an id for the repository that cannot be used')
      if (id === null || found === id) return found
      throw new SourceError(
        'access_refused',
        `${name} is another repository now than the one that the project was made for, so it gets no key and no webhook. ` +
          'Give the name back to the first one, or make another project',
      )
    },

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

    /** Adds the key unless the repository has it. Returns its id at the git host. */
    async ensureDeployKey(host: ConnectedHost, name: string, { publicKey, knownId }: WantedKey): Promise<string> {
      const { keys } = dialectOf(host.connection)
      const list = () => listAll(host, (start) => keys.list(name, start), keys.read)
      const isWanted = (key: { readonly publicKey: string }) => textOfKey(key.publicKey) === textOfKey(publicKey)
      const present = (await list()).find(isWanted)
      const isGood = present?.isReadOnly === true
      if (knownId !== null && knownId !== present?.id) await removeIfThere(host, keys.remove(name, knownId))
      if (isGood) return present.id
      if (present) await removeIfThere(host, keys.remove(name, present.id))
      await ask(host, keys.add(name, { title: OUR_NAME, publicKey }))
      const added = (await list()).find(isWanted)
      if (!added) throw new Error('The git host does not list the deploy key that it has accepted')
      return added.id
    },

    /** Adds the webhook, or repairs it where it sends too little or has an earlier secret. Returns its id at the git host. */
    async ensureWebhook(host: ConnectedHost, name: string, wanted: WantedWebhook): Promise<string> {
      const { webhooks } = dialectOf(host.connection)
      const find = async () =>
        (await listAll(host, (start) => webhooks.list(name, start), webhooks.read)).find(
          ({ url }) => url === wanted.url,
        )
      const present = await find()
      if (present?.isHealthy && wanted.hasCurrentSecret) return present.id
      const webhook = { url: wanted.url, secret: wanted.secret.reveal() }
      if (present && webhooks.update) await ask(host, webhooks.update(name, present.id, webhook))
      else {
        if (present) await removeIfThere(host, webhooks.remove(name, present.id))
        await ask(host, webhooks.add(name, webhook))
      }
      const added = await find()
      if (!added) throw new Error('The git host does not list the webhook that it has accepted')
      return added.id
    },

    removeDeployKey: (host: ConnectedHost, name: string, id: string): Promise<void> =>
      removeIfThere(host, dialectOf(host.connection).keys.remove(name, id)),

    removeWebhook: (host: ConnectedHost, name: string, id: string): Promise<void> =>
      removeIfThere(host, dialectOf(host.connection).webhooks.remove(name, id)),
  }
}

function dialectOf({ type }: Pick<Connection, 'type'>): ConnectedDialect {
  if (type === 'github_app') throw new Error('A GitHub App has no deploy keys and webhooks of repositories')
  return DIALECTS[type]
}

const isRefusal = (error: unknown, status: number): boolean => error instanceof HostRefused && error.status === status

const unlessMissing = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => {
    if (!isRefusal(error, 404)) throw error
  })

/** Hosts change the comment of a key, or leave it out. */
const textOfKey = (publicKey: string): string => publicKey.trim().split(/\s+/).slice(0, 2).join(' ')

/** A git host can say anything; what cannot be shown or used is left out. */
function usable(repository: FoundRepository): readonly FoundRepository[] {
  const url = urlOf(repository.url)
  if (!RepositoryName.safeParse(repository.fullName).success || url === null || textIdOf(repository.id) === undefined)
    return []
  return [{ ...repository, url, defaultBranch: branchOf(repository.defaultBranch) ?? null }]
}
