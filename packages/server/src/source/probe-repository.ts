// Proves that a repository can be read, by listing its branches: nothing is fetched. An empty repository can be read, too.
import { withDeadline } from '../scheduling/deadline.ts'
import type { Repository } from './connection.ts'
import type { InspectOptions } from './inspect-repository.ts'
import { explainFault } from './repository-fault.ts'
import type { Source } from './source.ts'
import { SourceError } from './source-error.ts'

/** Undefined if it can. Answers at the deadline, also if ending git takes longer. */
export async function probeRepository(
  source: Pick<Source, 'listRefs'>,
  repository: Repository,
  { branch, onHostKey, deadlineMs }: Omit<InspectOptions, 'hasServiceFile'>,
): Promise<{ readonly message: string; readonly fix: string | null } | undefined> {
  const abort = new AbortController()
  const listing = source.listRefs(repository, 'refs/heads/*', {
    signal: abort.signal,
    onHostKey,
    withNewConnection: true,
  })
  try {
    await withDeadline(listing, deadlineMs, () => {
      abort.abort()
      throw new SourceError('timed_out', 'The deadline has passed')
    })
    return undefined
  } catch (error) {
    if (error instanceof SourceError) return explainFault(error, { repository, branch, isAnswering: false })
    throw error
  }
}
