// What GitHub says of an App and of where it is installed.
import { z } from 'zod'
import { AppFault } from '../../domain/repository/app-fault.ts'
import { textOf } from '../../domain/repository/reported-values.ts'
import type { AppCalls } from './app-calls.ts'
import type { GitHubApp } from './github-app.ts'

export type AppInstallation = {
  readonly installationId: number
  readonly account: string
  readonly isSuspended: boolean
}

const PER_PAGE = 100
/** Ten thousand installations. */
const MOST_PAGES = 100

/** Throws `deleted` if GitHub does not know the App, and other faults as they are. */
export async function askForApp(calls: AppCalls, app: GitHubApp): Promise<void> {
  await askAsApp(calls, app, '/app').catch(asDeletedApp)
}

/** An installation of this App; throws `not_installed` for one of another App, and `deleted` if GitHub does not know the App. */
export async function findInstallation(
  calls: AppCalls,
  app: GitHubApp,
  installationId: number,
): Promise<AppInstallation> {
  const path = `/app/installations/${installationId}`
  const answer = await askAsApp(calls, app, path).catch(async (error: unknown) => {
    if (error instanceof AppFault && error.code === 'not_installed') await askForApp(calls, app)
    throw error
  })
  const found = Installation.parse(answer)
  if (found.id !== installationId || found.app_id !== app.appId) throw new AppFault('not_installed')
  return toInstallation(found)
}

/** Installations of this App: one, unless its owner has made it public. Throws `deleted` if GitHub does not know the App. */
export async function listInstallations(calls: AppCalls, app: GitHubApp): Promise<readonly AppInstallation[]> {
  const all: AppInstallation[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const path = `/app/installations?per_page=${PER_PAGE}&page=${page}`
    const answer = await askAsApp(calls, app, path).catch(asDeletedApp)
    const found = z.array(Installation).parse(answer)
    all.push(...found.filter(({ app_id }) => app_id === app.appId).map(toInstallation))
    if (found.length < PER_PAGE) break
  }
  return all
}

/** The id of the installation that a repository belongs to. Throws `not_installed` if there is none. */
export async function findInstallationOf(calls: AppCalls, app: GitHubApp, fullName: string): Promise<number> {
  const answer = await askAsApp(calls, app, `/repos/${fullName}/installation`)
  return Installation.parse(answer).id
}

/** Asked as the App itself, a 403 does not say that an installation is suspended: that stands in the installation. */
const askAsApp = ({ callAsApp }: AppCalls, app: GitHubApp, path: string): Promise<unknown> =>
  callAsApp(app, { method: 'GET', path }).catch((error: unknown) => {
    if (error instanceof AppFault && error.code === 'suspended') throw new AppFault('failed', { cause: error })
    throw error
  })

/** For calls about the App itself: with its key there is no other reason for a 404. */
function asDeletedApp(error: unknown): never {
  if (error instanceof AppFault && error.code === 'not_installed') throw new AppFault('deleted', { cause: error })
  throw error
}

const Installation = z.object({
  id: z.int(),
  app_id: z.int(),
  account: z.object({ login: z.string().transform(textOf) }),
  suspended_at: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
})

const toInstallation = ({ id, account, suspended_at }: z.infer<typeof Installation>): AppInstallation => ({
  installationId: id,
  account: account.login,
  isSuspended: suspended_at !== null,
})
