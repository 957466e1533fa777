// Checks of repositories outside of a task: whether the platform can read one, and what deployments will find there.
import type { RepositoryFindings } from '../domain/repository/repository-findings.ts'
import { createCheckLimit } from '../remote/set-up/check-limit.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Repository } from './connection.ts'
import { type InspectOptions, inspectRepository } from './inspect-repository.ts'
import { probeRepository } from './probe-repository.ts'
import type { Source, SourceIo } from './source.ts'

export type Repositories = {
  /** Throws TooManyChecks. A repository that cannot be read is a finding, not an error. */
  inspect(
    repository: LockedRepository,
    options: Omit<InspectOptions, 'deadlineMs'> & { readonly organizationId: number },
  ): Promise<RepositoryFindings>
  /** Proves that the repository can be read: undefined, or why not and what to do. */
  probe(
    repository: LockedRepository,
    options: Pick<InspectOptions, 'branch' | 'onHostKey'>,
  ): Promise<{ readonly message: string; readonly fix: string | null } | undefined>
  /** Prefetches a commit for a deployment. Rejects as the fetch does; the deployment tries again and reports the error. */
  fetchEarly(repository: LockedRepository, branch: string, io: Pick<SourceIo, 'onHostKey'>): Promise<void>
}

/** Decrypts its key only when a check may run. */
type LockedRepository = Omit<Repository, 'privateKey'> & { readonly openKey: () => Secret }

const DEADLINE_MS = 60_000

export function createRepositories(
  source: Pick<Source, 'listRefs' | 'fetchCommit' | 'readFile' | 'listComposeFiles' | 'fetchEarly'>,
): Repositories {
  const inTurn = createCheckLimit('repositories')
  return {
    inspect: ({ openKey, ...repository }, { organizationId, ...options }) =>
      inTurn(organizationId, () =>
        inspectRepository(source, { ...repository, privateKey: openKey() }, { ...options, deadlineMs: DEADLINE_MS }),
      ),
    probe: async ({ openKey, ...repository }, options) => {
      const opened = { ...repository, privateKey: openKey() }
      return probeRepository(source, opened, { ...options, deadlineMs: DEADLINE_MS })
    },
    fetchEarly: async ({ openKey, ...repository }, branch, io) =>
      source.fetchEarly({ ...repository, privateKey: openKey() }, branch, io),
  }
}
