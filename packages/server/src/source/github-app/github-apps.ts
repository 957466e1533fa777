/**
 * GitHub's API of Apps: makes an App of a manifest's code, verifies its installation, and hands out installation tokens. A token lasts an
 * hour; it is kept in memory alone until shortly before its end, and replaced at once where GitHub refuses it.
 */
import { RepositoryName } from '@shipway/api/connections'
import { z } from 'zod'
import { AppFault } from '../../domain/repository/app-fault.ts'
import { branchOf, textOf, urlOf } from '../../domain/repository/reported-values.ts'
import { Secret } from '../../secrets/secret.ts'
import { apiBaseOf } from '../git-host/api-base.ts'
import { callHost } from '../git-host/call-host.ts'
import type { HostCall } from '../git-host/dialect.ts'
import { github } from '../git-host/github.ts'
import { appFaultOf } from './app-fault-of.ts'
import { signAppJwt } from './app-jwt.ts'

/** An App of a connection, installed or not. */
export type GitHubApp = {
  readonly connectionId: number
  /** Of GitHub's pages, without a trailing slash. */
  readonly baseUrl: string
  readonly appId: number
  readonly openKey: () => Secret
}

export type InstalledApp = GitHubApp & { readonly installationId: number }

/** What GitHub makes of a manifest. */
export type CreatedApp = {
  readonly appId: number
  readonly slug: string
  readonly owner: string
  readonly clientId: string
  readonly clientSecret: Secret
  readonly webhookSecret: Secret
  readonly privateKey: Secret
}

export type AppInstallation = {
  readonly installationId: number
  readonly account: string
  readonly isSuspended: boolean
}

export type AppRepository = {
  readonly id: string
  readonly fullName: string
  readonly defaultBranch: string | null
  readonly isPrivate: boolean
  /** Its page. */
  readonly url: string
}

export type GitHubApps = ReturnType<typeof createGitHubApps>

type Options = {
  readonly allowedNetworks: readonly string[]
  readonly authorities?: string | undefined
  readonly clock: () => number
}

/** A token is not used in its last minutes: a fetch can take some. */
const SPARE_MS = 12 * 60_000
const PER_PAGE = 100
/** Ten thousand repositories or installations. */
const MOST_PAGES = 100
const LIST_MS = 60_000

export function createGitHubApps({ allowedNetworks, authorities, clock }: Options) {
  const tokens = new Map<string, Promise<KeptToken>>()
  const lists = new Map<string, KeptList>()
  /** By connection: GitHub asked not to call before. */
  const pausedUntil = new Map<number, number>()

  const call = (baseUrl: string, hostCall: HostCall, token?: Secret): Promise<unknown> => {
    const headers = token ? github.authorization(token.reveal()) : {}
    return callHost(apiBaseOf({ type: 'github_app', baseUrl }), hostCall, { headers, allowedNetworks, authorities })
  }

  /** As the App itself, or as its installation. */
  const callFor = async (app: GitHubApp, hostCall: HostCall, token: Secret): Promise<unknown> => {
    const paused = (pausedUntil.get(app.connectionId) ?? 0) - clock()
    if (paused > 0) throw new AppFault('rate_limited', { retryAfterMs: paused })
    return call(app.baseUrl, hostCall, token).catch((error: unknown) => {
      const fault = appFaultOf(error)
      if (fault instanceof AppFault && fault.code === 'rate_limited')
        pausedUntil.set(app.connectionId, clock() + fault.retryAfterMs)
      throw fault
    })
  }

  const callAsApp = (app: GitHubApp, hostCall: HostCall): Promise<unknown> =>
    callFor(app, hostCall, signAppJwt({ appId: app.appId, privateKey: app.openKey() }, clock()))

  const createToken = async (app: InstalledApp, use: TokenUse): Promise<KeptToken> => {
    const path = `/app/installations/${app.installationId}/access_tokens`
    const narrowed = use === 'git' && { body: { permissions: { contents: 'read' } } }
    const answer = await callAsApp(app, { method: 'POST', path, ...narrowed })
    const { token, expires_at: expiresAt } = TokenAnswer.parse(answer)
    return { token: new Secret(token), goodUntil: Date.parse(expiresAt) - SPARE_MS }
  }

  const askForToken = (app: InstalledApp, use: TokenUse): Promise<KeptToken> => {
    const key = tokenKeyOf(app, use)
    const asked = createToken(app, use)
    tokens.set(key, asked)
    asked.catch(() => tokens.get(key) === asked && tokens.delete(key))
    return asked
  }

  /** Callers at the same time share one request. */
  const findTokenFor = async (app: InstalledApp, use: TokenUse): Promise<Secret> => {
    const key = tokenKeyOf(app, use)
    const kept = tokens.get(key)
    const known = await kept
    if (known && known.goodUntil > clock()) return known.token
    const begun = tokens.get(key)
    return (await (begun === kept || !begun ? askForToken(app, use) : begun)).token
  }

  const findToken = (app: InstalledApp): Promise<Secret> => findTokenFor(app, 'api')

  const dropToken = async (app: InstalledApp, token: Secret): Promise<void> => {
    // A request that fails is dropped by itself.
    for (const key of [tokenKeyOf(app, 'api'), tokenKeyOf(app, 'git')])
      if ((await tokens.get(key)?.catch(() => undefined))?.token === token) tokens.delete(key)
  }

  return {
    /** Exchanges the code of a manifest. GitHub gives the secrets this once. */
    async convert(baseUrl: string, code: string): Promise<CreatedApp> {
      const path = `/app-manifests/${encodeURIComponent(code)}/conversions`
      const answer = await call(baseUrl, { method: 'POST', path }).catch((error: unknown) => {
        throw appFaultOf(error, 'code_refused')
      })
      const created = Conversion.parse(answer)
      return {
        appId: created.id,
        slug: created.slug,
        owner: created.owner.login,
        clientId: created.client_id,
        clientSecret: new Secret(created.client_secret),
        webhookSecret: new Secret(created.webhook_secret),
        privateKey: new Secret(created.pem),
      }
    },

    /** GitHub answers with 404 for an App that it does not know, and with 401 for a key that it does not. */
    async isDeleted(app: GitHubApp): Promise<boolean> {
      return askForApp(app).then(
        () => false,
        (error: unknown) => {
          if (error instanceof AppFault && error.code === 'deleted') return true
          throw error
        },
      )
    },

    /** Whether the key belongs to the App. Throws an AppFault if not. */
    verifyKey: askForApp,

    findInstallation,

    /** Installations of this App: one, unless its owner has made it public. Throws `deleted` if GitHub does not know the App. */
    async listInstallations(app: GitHubApp): Promise<readonly AppInstallation[]> {
      const all: AppInstallation[] = []
      for (let page = 1; page <= MOST_PAGES; page++) {
        const path = `/app/installations?per_page=${PER_PAGE}&page=${page}`
        const answer = await callAsApp(app, { method: 'GET', path }).catch(asDeletedApp)
        const found = z.array(Installation).parse(answer)
        all.push(...found.filter(({ app_id }) => app_id === app.appId).map(toInstallation))
        if (found.length < PER_PAGE) break
      }
      return all
    },

    findToken,

    /** For git, which only reads: of repositories of the installation, submodules included. */
    findGitToken: (app: InstalledApp): Promise<Secret> => findTokenFor(app, 'git'),

    /** GitHub refused a token: the next call asks for a new one. */
    refuseToken: dropToken,

    /** A suspended or removed App, or another key: nothing of before is used again. */
    forget(connectionId: number): void {
      pausedUntil.delete(connectionId)
      for (const kept of [tokens, lists])
        for (const key of kept.keys()) if (key.startsWith(`${connectionId} `)) kept.delete(key)
    },

    /** Repositories that the installation may use; with `search` those whose name contains it. */
    async listRepositories(
      app: InstalledApp,
      { search = '', most }: { readonly search?: string | undefined; readonly most: number },
    ): Promise<readonly AppRepository[]> {
      if (search === '') return (await readPages(app, most)).slice(0, most)
      const wanted = search.toLowerCase()
      const all = await listAll(app)
      return all.filter(({ fullName }) => fullName.toLowerCase().includes(wanted)).slice(0, most)
    },

    /** One repository by `owner/name`; undefined if the installation may not use it. */
    findRepository: (app: InstalledApp, fullName: string): Promise<AppRepository | undefined> =>
      findAt(app, `/repos/${fullName}`),

    /** The same by its id, whatever its name is now. */
    findRepositoryById: (app: InstalledApp, id: string): Promise<AppRepository | undefined> =>
      findAt(app, `/repositories/${encodeURIComponent(id)}`),
  }

  /** Throws `deleted` if GitHub does not know the App, and other faults as they are. */
  async function askForApp(app: GitHubApp): Promise<void> {
    await callAsApp(app, { method: 'GET', path: '/app' }).catch(asDeletedApp)
  }

  /** An installation of this App; throws `not_installed` for one of another App, and `deleted` if GitHub does not know the App. */
  async function findInstallation(app: GitHubApp, installationId: number): Promise<AppInstallation> {
    const path = `/app/installations/${installationId}`
    const answer = await callAsApp(app, { method: 'GET', path }).catch(async (error: unknown) => {
      if (error instanceof AppFault && error.code === 'not_installed') await askForApp(app)
      throw error
    })
    const found = Installation.parse(answer)
    if (found.id !== installationId || found.app_id !== app.appId) throw new AppFault('not_installed')
    return toInstallation(found)
  }

  /** GitHub cannot search in an installation. While a person types, all of its repositories are read once. */
  async function listAll(app: InstalledApp): Promise<readonly AppRepository[]> {
    const key = keyOf(app)
    const known = lists.get(key)
    if (known && known.goodUntil > clock()) return known.repositories
    const repositories = readPages(app, Number.POSITIVE_INFINITY)
    lists.set(key, { repositories, goodUntil: clock() + LIST_MS })
    repositories.catch(() => lists.delete(key))
    return repositories
  }

  async function readPages(app: InstalledApp, most: number): Promise<readonly AppRepository[]> {
    const found: AppRepository[] = []
    for (let page = 1; page <= MOST_PAGES && found.length < most; page++) {
      const path = `/installation/repositories?per_page=${PER_PAGE}&page=${page}`
      const { repositories } = RepositoryPage.parse(await callWithToken(app, { method: 'GET', path }))
      found.push(...repositories.flatMap(usable))
      if (repositories.length < PER_PAGE) break
    }
    return found
  }

  async function findAt(app: InstalledApp, path: string): Promise<AppRepository | undefined> {
    // Without a token there is no access at all; after it, a 404 is about this repository.
    await findToken(app)
    try {
      const [found] = usable(Repository.parse(await callWithToken(app, { method: 'GET', path })))
      if (found && !found.isPrivate) await demandInstalledFor(app, found)
      return found
    } catch (error) {
      if (error instanceof AppFault && error.code === 'not_installed') return undefined
      throw error
    }
  }

  /** A token reads every public repository; the events of one come only to an App that is installed for it. */
  async function demandInstalledFor(app: InstalledApp, { fullName }: AppRepository): Promise<void> {
    const path = `/repos/${fullName}/installation`
    const { id } = Installation.parse(await callAsApp(app, { method: 'GET', path }))
    if (id !== app.installationId) throw new AppFault('not_installed')
  }

  /** GitHub also answers with 403 for a repository that it has blocked, and where a permission is missing. */
  async function refuseUnlessSuspended(app: InstalledApp, cause: AppFault): Promise<void> {
    const { isSuspended } = await findInstallation(app, app.installationId)
    if (!isSuspended) throw new AppFault('repository_refused', { cause })
  }

  /** A token that GitHub refuses is replaced once: it may have been revoked. */
  async function callWithToken(app: InstalledApp, hostCall: HostCall): Promise<unknown> {
    const token = await findToken(app)
    try {
      return await callFor(app, hostCall, token)
    } catch (error) {
      if (error instanceof AppFault && error.code === 'suspended') await refuseUnlessSuspended(app, error)
      if (!(error instanceof AppFault) || error.code !== 'key_refused') throw error
      await dropToken(app, token)
      return callFor(app, hostCall, await findToken(app))
    }
  }
}

/** For calls about the App itself: with its key there is no other reason for a 404. */
function asDeletedApp(error: unknown): never {
  if (error instanceof AppFault && error.code === 'not_installed') throw new AppFault('deleted', { cause: error })
  throw error
}

type KeptList = { readonly repositories: Promise<readonly AppRepository[]>; readonly goodUntil: number }

/** A token for calls of the API has all permissions of the App. */
type TokenUse = 'api' | 'git'

type KeptToken = { readonly token: Secret; readonly goodUntil: number }

const keyOf = ({ connectionId, installationId }: InstalledApp): string => `${connectionId} ${installationId}`

const tokenKeyOf = (app: InstalledApp, use: TokenUse): string => `${keyOf(app)} ${use}`

const Login = z.object({ login: z.string().transform(textOf) })
const Conversion = z.object({
  id: z.int(),
  slug: z.string().regex(/^[\w.-]{1,200}$/),
  owner: Login,
  client_id: z.string().max(200),
  client_secret: z.string().max(1000),
  webhook_secret: z.string().min(1).max(1000),
  pem: z.string().max(20_000),
})
const TokenAnswer = z.object({ token: z.string().min(1).max(10_000), expires_at: z.iso.datetime() })
const Installation = z.object({
  id: z.int(),
  app_id: z.int(),
  account: Login,
  suspended_at: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
})
const Repository = z.object({
  id: z.int(),
  full_name: z.string().max(400),
  default_branch: z.string().nullish(),
  private: z.boolean(),
  html_url: z.string().max(2000),
})
const RepositoryPage = z.object({ repositories: z.array(Repository) })

const toInstallation = ({ id, account, suspended_at }: z.infer<typeof Installation>): AppInstallation => ({
  installationId: id,
  account: account.login,
  isSuspended: suspended_at !== null,
})

/** A git host can say anything; what cannot be shown or used is left out. */
function usable(repository: z.infer<typeof Repository>): readonly AppRepository[] {
  const [name, url] = [RepositoryName.safeParse(repository.full_name), urlOf(repository.html_url)]
  if (!name.success || url === null) return []
  const defaultBranch = branchOf(repository.default_branch) ?? null
  return [{ id: `${repository.id}`, fullName: name.data, defaultBranch, isPrivate: repository.private, url }]
}
