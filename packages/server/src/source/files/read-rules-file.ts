// Reads the rules about pull requests in a `.service.yml`. The author of the file controls how long parsing YAML takes, so a large one is
// parsed in its own thread.
import { type FilePullRequestRules, readPullRequestRules } from '@shipway/rules/service-file/read-pull-requests'
import { RepositoryConfigFault } from '@shipway/rules/service-file/repository-config'
import { runInThread, ThreadStopped } from '../../threads/run-in-thread.ts'

export type ReadRules = FilePullRequestRules | { readonly fault: string }

export async function readRulesFile(content: Uint8Array): Promise<ReadRules> {
  if (content.length <= mostAtOnce) return rulesOrFault(content)
  return runInThread<ReadRules>({ program, input: content }, limits).catch((error: unknown) => {
    if (!(error instanceof ThreadStopped)) throw error
    return { fault: 'The file takes too long to read; move long scripts into files of their own' }
  })
}

/** Returns a fault as a value: errors lose their class between threads. */
export function rulesOrFault(content: Uint8Array): ReadRules {
  try {
    return readPullRequestRules(content)
  } catch (error) {
    if (error instanceof RepositoryConfigFault) return { fault: error.message }
    throw error
  }
}

const mostAtOnce = 8 * 1024
const program = new URL('./rules-file-thread.ts', import.meta.url)
const limits = { computeMs: 20_000, memoryMb: 256 }
