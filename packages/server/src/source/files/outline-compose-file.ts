// Reads the services and ports of a compose file. The author of the file controls how long parsing YAML takes, so a large one is parsed in
// its own thread.
import type { ComposeOutline } from '@shipway/rules/compose/compose-outline'
import { outlineOf } from '@shipway/rules/service-file/read-contents'
import { runInThread, ThreadStopped } from '../../threads/run-in-thread.ts'

type ComposeFile = Parameters<typeof outlineOf>[0]

/** Null if the platform cannot read it as a compose file. */
export async function outlineComposeFile(file: ComposeFile): Promise<ComposeOutline | null> {
  if (file.content.length <= mostAtOnce) return outlineOf(file)
  return runInThread<ComposeOutline | null>({ program, input: file }, limits).catch((error: unknown) => {
    if (!(error instanceof ThreadStopped)) throw error
    return null
  })
}

const mostAtOnce = 8 * 1024
const program = new URL('./compose-outline-thread.ts', import.meta.url)
const limits = { computeMs: 10_000, memoryMb: 192 }
