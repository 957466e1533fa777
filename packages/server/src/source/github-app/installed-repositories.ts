// Repositories that an installation may use.
import { RepositoryName } from '@shipway/api/connections'
import { z } from 'zod'
import { AppFault } from '../../domain/repository/app-fault.ts'
import { branchOf, urlOf } from '../../domain/repository/reported-values.ts'
import type { HostCall } from '../git-host/api-dialect.ts'
import type { AppCalls } from './app-calls.ts'
import { findInstallation, findInstallationOf } from './app-installations.ts'
import type { InstalledApp } from './github-app.ts'
import type { InstallationTokens } from './installation-tokens.ts'

export type AppRepository = {
  readonly id: string
  readonly fullName: string
  readonly defaultBranch: string | null
  readonly isPrivate: boolean
  /** Its page. */
  readonly url: string
}

type RepositorySearch = { readonly search?: string | undefined; readonly most: number }

type KeptList = { readonly repositories: Promise<readonly AppRepository[]>; readonly goodUntil: number }

type Dependencies = {
  readonly calls: AppCalls
  readonly tokens: InstallationTokens
  readonly clock: () => number
}

const PER_PAGE = 100
/** Ten thousand repositories. */
const MOST_PAGES = 100
const LIST_MS = 60_000

export function createInstalledRepositories({ calls, tokens, clock }: Dependencies) {
  const lists = new Map<string, KeptList>()

  /** A token that GitHub refuses is replaced once: it may have been revoked. */
  const callAsInstallation = async (app: InstalledApp, hostCall: HostCall): Promise<unknown> => {
    const token = await tokens.find(app, 'api')
    try {
      return await calls.callWithToken(app, hostCall, token)
    } catch (error) {
      if (error instanceof AppFault && error.code === 'suspended') await refuseUnlessSuspended(calls, app, error)
      if (!(error instanceof AppFault) || error.code !== 'key_refused') throw error
      await tokens.drop(app, token)
      return calls.callWithToken(app, hostCall, await tokens.find(app, 'api'))
    }
  }

  const readPages = async (app: InstalledApp, most: number): Promise<readonly AppRepository[]> => {
    const found: AppRepository[] = []
    for (let page = 1; page <= MOST_PAGES && found.length < most; page++) {
      const path = `/installation/repositories?per_page=${PER_PAGE}&page=${page}`
      const { repositories } = RepositoryPage.parse(await callAsInstallation(app, { method: 'GET', path }))
      found.push(...repositories.flatMap(usable))
      if (repositories.length < PER_PAGE) break
    }
    return found
  }

  /** GitHub cannot search in an installation. While a person types, all of its repositories are read once. */
  const listAll = async (app: InstalledApp): Promise<readonly AppRepository[]> => {
    const key = `${app.connectionId} ${app.installationId}`
    const known = lists.get(key)
    if (known && known.goodUntil > clock()) return known.repositories
    const repositories = readPages(app, Number.POSITIVE_INFINITY)
    lists.set(key, { repositories, goodUntil: clock() + LIST_MS })
    repositories.catch(() => lists.delete(key))
    return repositories
  }

  return {
    /** With `search` those whose name contains it. */
    async list(app: InstalledApp, { search = '', most }: RepositorySearch): Promise<readonly AppRepository[]> {
      if (search === '') return (await readPages(app, most)).slice(0, most)
      const wanted = search.toLowerCase()
      const all = await listAll(app)
      return all.filter(({ fullName }) => fullName.toLowerCase().includes(wanted)).slice(0, most)
    },

    /** The repository at a path of the API; undefined if the installation may not use it. */
    async findAt(app: InstalledApp, path: string): Promise<AppRepository | undefined> {
      // Without a token there is no access at all; after it, a 404 is about this repository.
      await tokens.find(app, 'api')
      try {
        const [found] = usable(Repository.parse(await callAsInstallation(app, { method: 'GET', path })))
        if (found && !found.isPrivate) await demandInstalledFor(calls, app, found)
        return found
      } catch (error) {
        if (error instanceof AppFault && error.code === 'not_installed') return undefined
        throw error
      }
    },

    forget(connectionId: number): void {
      for (const key of lists.keys()) if (key.startsWith(`${connectionId} `)) lists.delete(key)
    },
  }
}

/** GitHub also answers with 403 for a repository that it has blocked, and where a permission is missing. */
async function refuseUnlessSuspended(calls: AppCalls, app: InstalledApp, cause: AppFault): Promise<void> {
  const { isSuspended } = await findInstallation(calls, app, app.installationId)
  if (!isSuspended) throw new AppFault('repository_refused', { cause })
}

/** A token reads every public repository; the events of one come only to an App that is installed for it. */
async function demandInstalledFor(calls: AppCalls, app: InstalledApp, { fullName }: AppRepository): Promise<void> {
  if ((await findInstallationOf(calls, app, fullName)) !== app.installationId) throw new AppFault('not_installed')
}

const Repository = z.object({
  id: z.int(),
  full_name: z.string().max(400),
  default_branch: z.string().nullish(),
  private: z.boolean(),
  html_url: z.string().max(2000),
})
const RepositoryPage = z.object({ repositories: z.array(Repository) })

/** A git host can say anything; what cannot be shown or used is left out. */
function usable(repository: z.infer<typeof Repository>): readonly AppRepository[] {
  const [name, url] = [RepositoryName.safeParse(repository.full_name), urlOf(repository.html_url)]
  if (!name.success || url === null) return []
  const defaultBranch = branchOf(repository.default_branch) ?? null
  return [{ id: `${repository.id}`, fullName: name.data, defaultBranch, isPrivate: repository.private, url }]
}
