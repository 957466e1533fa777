// Reads one compose file of a commit. The author of the file controls how long parsing YAML takes, so a large one is parsed in its own
// thread.
import { type ReadSource, readSource, type SourceToRead } from '@shipway/rules/compose/source/read-source'
import type { Fault } from '@shipway/rules/fault'
import { runInThread, ThreadStopped } from '../../threads/run-in-thread.ts'

type Answer = ReadSource | { readonly fault: Fault }

export async function readSourceFile(source: SourceToRead): Promise<Answer> {
  if (source.content.length <= mostAtOnce) return readSource(source)
  return runInThread<Answer>({ program, input: source }, limits).catch((error: unknown) => {
    if (!(error instanceof ThreadStopped)) throw error
    const sentence = 'The file takes too long to read. Make it smaller, or repeat less in it'
    return { fault: { file: source.file, line: 1, column: 1, sentence } }
  })
}

const mostAtOnce = 8 * 1024
const program = new URL('./source-file-thread.ts', import.meta.url)
const limits = { computeMs: 20_000, memoryMb: 192 }
