// Checks of commits: those that a git host has, and the check runs of an App.
import type { CheckRun } from '../../domain/repository/check-run.ts'
import { OWN_CHECKS, type ReportedCheck } from '../../domain/repository/commit-checks.ts'
import type { ApiDialect } from './api-dialect.ts'
import { HostRefused } from './call-host.ts'
import { type AskHost, dialectOf, type HostRepository, pathOf } from './host-repository.ts'

type CheckList = { readonly list: ApiDialect['checkLists'][number]; readonly sha: string }

/** Of checks of one commit. */
const MOST_CHECK_PAGES = 20
const FULL_PAGE = 50

export function createHostChecks(ask: AskHost) {
  /** All of one list: a red check that is not read would count as none. */
  async function readChecks(repository: HostRepository, { list, sha }: CheckList): Promise<readonly ReportedCheck[]> {
    const dialect = dialectOf(repository)
    const checks: ReportedCheck[] = []
    for (let page = 1; page <= MOST_CHECK_PAGES; page++) {
      const found = dialect.readChecks(await ask(repository, list(pathOf(repository), sha, page)))
      const isRepeated = found.every(({ name }) => checks.some((check) => check.name === name))
      if (isRepeated && dialect.hasShortCheckPages) return checks
      checks.push(...found)
      if (found.length < FULL_PAGE && !dialect.hasShortCheckPages) return checks
    }
    throw new Error(`The commit ${sha} has more checks than are read`)
  }

  return {
    /** The checks of a commit: those of other programs and the platform's own. Rejects if there are more than are read. */
    async listChecks(repository: HostRepository, sha: string): Promise<readonly ReportedCheck[]> {
      const checks: ReportedCheck[] = []
      for (const list of dialectOf(repository).checkLists) checks.push(...(await readChecks(repository, { list, sha })))
      return checks
    },

    /** Names of the checks that a branch requires; none where the git host does not say. */
    async listRequiredChecks(repository: HostRepository, branch: string): Promise<readonly string[]> {
      const { required } = dialectOf(repository)
      const names = new Set<string>()
      for (const call of required?.list(pathOf(repository), branch) ?? []) {
        const answer = await ask(repository, call).catch(undefinedIfUnavailable)
        for (const name of required?.read(answer) ?? []) if (!name.startsWith(OWN_CHECKS)) names.add(name)
      }
      return [...names]
    },

    /** Creates or updates the check run. Returns its id. */
    async writeCheckRun(
      repository: HostRepository,
      { id, ...run }: CheckRun & { readonly id: string | null },
    ): Promise<string> {
      const { checkRuns, readId } = checksOf(repository)
      const path = pathOf(repository)
      // A process that died after creating it has not stored its id, or that it has annotations: GitHub would add the same ones again.
      const isLookedUp = id === null || run.annotations.length > 0
      const found = isLookedUp
        ? checkRuns.readFound(await ask(repository, checkRuns.find(path, run, repository.connection?.app?.id)))
        : []
      const known = id ?? found.find(({ externalId }) => externalId === run.externalId)?.id
      if (known === undefined) return readId(await ask(repository, checkRuns.create(path, run)))
      const isAnnotated = found.some((other) => other.id === known && other.hasAnnotations)
      await ask(repository, checkRuns.update(path, known, isAnnotated ? { ...run, annotations: [] } : run))
      return known
    },
  }
}

/** Older versions lack the call, and the token may lack the permission. */
function undefinedIfUnavailable(error: unknown): undefined {
  if (!(error instanceof HostRefused) || ![403, 404].includes(error.status) || error.retryAfterMs > 0) throw error
}

function checksOf(repository: HostRepository) {
  const { checkRuns, readId } = dialectOf(repository)
  if (!checkRuns) throw new Error(`${repository.address} is at a git host without check runs`)
  return { checkRuns, readId }
}
