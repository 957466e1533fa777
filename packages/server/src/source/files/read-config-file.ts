// Reads a `.service.yml` of a repository. The author of the file controls how long parsing YAML takes, so a large one is parsed in its own
// thread.
import type { Recipe } from '@shipway/api/values/recipe'
import { type FileOrigin, readRepositoryConfig } from '@shipway/rules/service-file/read-repository-config'
import {
  type FileFault,
  type RepositoryConfig,
  RepositoryConfigFault,
} from '@shipway/rules/service-file/repository-config'
import { runInThread, ThreadStopped } from '../../threads/run-in-thread.ts'

type ConfigFile<Kind extends Recipe> = {
  readonly content: Uint8Array
  readonly recipe: Kind
  /** Of a commit by default. */
  readonly origin?: FileOrigin
}
type ConfigOf<Kind extends Recipe> = Extract<RepositoryConfig, { recipe: Kind }>

/** Throws a RepositoryConfigFault like `readRepositoryConfig`. */
export async function readConfigFile<Kind extends Recipe>(file: ConfigFile<Kind>): Promise<ConfigOf<Kind>> {
  const answer =
    file.content.length <= mostAtOnce
      ? answerFor(file)
      : await runInThread<ConfigAnswer>({ program, input: file }, limits).catch((error: unknown) => {
          if (!(error instanceof ThreadStopped)) throw error
          throw new RepositoryConfigFault([tooSlow])
        })
  if ('faults' in answer) throw new RepositoryConfigFault(answer.faults, answer.others)
  return answer as ConfigOf<Kind>
}

type ConfigAnswer = RepositoryConfig | { readonly faults: readonly FileFault[]; readonly others: number }

/** Returns faults as a value: errors lose their class between threads. */
export function answerFor({ content, recipe, origin }: ConfigFile<Recipe>): ConfigAnswer {
  try {
    return readRepositoryConfig(content, recipe, origin)
  } catch (error) {
    if (error instanceof RepositoryConfigFault) return { faults: error.faults, others: error.others }
    throw error
  }
}

const tooSlow: FileFault = {
  line: 1,
  column: 1,
  path: '',
  sentence: 'The file takes too long to read; move long scripts into files of their own',
}

const mostAtOnce = 8 * 1024
const program = new URL('./config-file-thread.ts', import.meta.url)
const limits = { computeMs: 20_000, memoryMb: 256 }
