// Reads one compose file of a commit. The time that YAML takes is the file's to choose, so a large one is read in a thread of its own.
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
