// Reads a repository as a deployment would and reports the findings in the platform's own words, because the host controls its messages.

import { readContents } from '@shipway/rules/service-file/read-contents'
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'
import type { RepositoryFindings } from '../domain/repository/repository-findings.ts'
import { withDeadline } from '../scheduling/deadline.ts'
import type { Repository } from './connection.ts'
import { outlineComposeFile } from './files/outline-compose-file.ts'
import type { Commit } from './mirror.ts'
import { explainFault } from './repository-fault.ts'
import type { Source } from './source.ts'
import { SourceError } from './source-error.ts'
import type { SourceIo } from './source-io.ts'

export type InspectOptions = {
  /** The default branch of the project. */
  readonly branch: string
  /** Whether the project keeps a `.service.yml` in its settings. */
  readonly hasServiceFile: boolean
  readonly onHostKey: SourceIo['onHostKey']
  readonly deadlineMs: number
}

type Reader = Pick<Source, 'listRefs' | 'fetchCommit' | 'readFile' | 'listComposeFiles'>

/** Answers at the deadline, also if ending git takes longer. */
export async function inspectRepository(
  source: Reader,
  repository: Repository,
  { branch, hasServiceFile, onHostKey, deadlineMs }: InspectOptions,
): Promise<RepositoryFindings> {
  const abort = new AbortController()
  // After a timeout, the report contains the findings so far.
  let known = NOTHING
  const note = (more: Partial<RepositoryFindings>): void => {
    known = { ...known, ...more }
  }
  const work = inspect(source, { repository, branch, hasServiceFile, note, io: { signal: abort.signal, onHostKey } })
  try {
    await withDeadline(work, deadlineMs, () => {
      abort.abort()
      throw new SourceError('timed_out', 'The deadline has passed')
    })
    return known
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return {
      ...known,
      status: 'failed',
      ...explainFault(error, { repository, branch, isAnswering: known.branches > 0 }),
    }
  }
}

const NOTHING: RepositoryFindings = {
  status: 'failed',
  message: '',
  fix: null,
  branches: 0,
  head: null,
  serviceFile: 'unknown',
  suggestion: null,
}

type InspectRequest = {
  readonly repository: Repository
  readonly branch: string
  readonly hasServiceFile: boolean
  readonly note: (more: Partial<RepositoryFindings>) => void
  readonly io: SourceIo
}

async function inspect(
  source: Reader,
  { repository, branch, hasServiceFile, note, io }: InspectRequest,
): Promise<void> {
  const refs = await source.listRefs(repository, 'refs/heads/*', io)
  const branches = refs.filter((ref) => ref.startsWith('refs/heads/')).length
  note({ branches })
  const head = await source.fetchCommit(repository, { branch }, io)
  note({ head: { sha: head.sha, message: head.message } })
  const read: Read = (path) => source.readFile(repository.projectId, head.sha, { path, maxBytes: MOST_BYTES })
  const isPresent = (await read('.service.yml')) !== undefined
  const suggestion =
    isPresent || hasServiceFile
      ? null
      : suggestServiceFile(
          await readContents(
            {
              read: (path) => read(path).catch(asUnread),
              listComposeFiles: () => source.listComposeFiles(repository.projectId, head.sha),
            },
            outlineComposeFile,
          ),
        )
  note({
    status: 'ok',
    serviceFile: isPresent ? 'present' : 'missing',
    suggestion,
    message: sentenceOf({ branches, branch, head, isPresent, hasServiceFile }),
  })
}

type Read = (path: string) => Promise<Buffer | undefined>

const MOST_BYTES = 1024 * 1024

/** Explains an entry that is not a file, or is too large to be read. */
function asUnread(error: unknown): string {
  if (error instanceof SourceError) return error.message
  throw error
}

function sentenceOf(found: {
  branches: number
  branch: string
  head: Commit
  isPresent: boolean
  hasServiceFile: boolean
}): string {
  const { branches, branch, head, isPresent, hasServiceFile } = found
  const count = branches === 1 ? 'one branch' : `${branches} branches`
  const missing = hasServiceFile
    ? "and has no .service.yml, so deployments use the one from the project's settings"
    : 'and has no .service.yml yet'
  const file = isPresent ? 'and has a .service.yml' : missing
  return `The repository was read: it has ${count}, and the newest commit of ${branch} is ${head.sha.slice(0, 12)} ${file}`
}
