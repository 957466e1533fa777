// Matches paths in small pieces, with turns for others between them: the author of the patterns has named the files as well.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PathMatcher } from '@shipway/rules/service-file/artifact-glob'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'

const TURN_MS = 20
const MOST_MS = 2000

/** Those that are meant, in their order. */
export async function matchInChunks<Entry extends { readonly path: string }>(
  entries: readonly Entry[],
  isMeant: PathMatcher,
  { mostMs = MOST_MS }: { readonly mostMs?: number } = {},
): Promise<readonly Entry[]> {
  const meant: Entry[] = []
  let spentMs = 0
  for (let at = 0; at < entries.length; ) {
    const begin = performance.now()
    do {
      const entry = entries[at]
      if (entry && isMeant(entry.path)) meant.push(entry)
      at += 1
    } while (at < entries.length && performance.now() - begin < TURN_MS)
    spentMs += performance.now() - begin
    if (spentMs > mostMs && at < entries.length) throw CheckFailed(TOO_LONG)
    await nextTurn()
  }
  return meant
}

const TOO_LONG =
  'It takes too long to compare the files with artifacts.paths. Use fewer stars and alternatives, or say more closely where the files are'
