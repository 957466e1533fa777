// What can be asked of repositories outside of a task: whether a project's own can be read, and what deployments will find there.
import type { RepositoryFindings } from '../domain/repository/repository-findings.ts'
import { createCheckLimit } from '../remote/set-up/check-limit.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Repository } from './connection.ts'
import { type InspectOptions, inspectRepository } from './inspect-repository.ts'
import type { Source } from './source.ts'

export type Repositories = {
  /** Throws TooManyChecks. A repository that cannot be read is a finding. */
  inspect(
    repository: LockedRepository,
    options: Omit<InspectOptions, 'deadlineMs'> & { readonly organizationId: number },
  ): Promise<RepositoryFindings>
}

/** Its key is opened once there is a place to use it. */
type LockedRepository = Omit<Repository, 'privateKey'> & { readonly openKey: () => Secret }

const DEADLINE_MS = 60_000

export function createRepositories(source: Pick<Source, 'listRefs' | 'fetchCommit' | 'readFile'>): Repositories {
  const inTurn = createCheckLimit('repositories')
  return {
    inspect: ({ openKey, ...repository }, { organizationId, ...options }) =>
      inTurn(organizationId, () =>
        inspectRepository(source, { ...repository, privateKey: openKey() }, { ...options, deadlineMs: DEADLINE_MS }),
      ),
  }
}
