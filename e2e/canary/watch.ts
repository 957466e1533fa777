// Looks at a machine while something goes on there: the words of its processes, and who may read the files of an environment.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listProcesses } from '../../packages/server/test/process-list.ts'

export type Seen = {
  readonly processes: ReadonlySet<string>
  readonly openFiles: readonly string[]
  readonly visits: number
}

/**
 * Looks again and again until the work ends; without a longer rest it takes a processor from work that is long. What was checked out is the
 * repository's, and has its own modes.
 */
export async function watchMachine(folder: string, work: Promise<unknown>, restMs = 1): Promise<Seen> {
  const processes = new Set<string>()
  const openFiles = new Set<string>()
  let visits = 0
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const words of listProcesses()) processes.add(words)
    for (const file of filesIn(folder)) if (file.includes('/environments/') && isOpenToOthers(file)) openFiles.add(file)
    visits++
    await new Promise((resolve) => setTimeout(resolve, restMs))
  }
  await over
  return { processes, openFiles: [...openFiles], visits }
}

export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'releases' || entry.name.endsWith('.git') ? [] : filesIn(path)
      return entry.isFile() ? [path] : []
    })
  } catch {
    // It has gone since it was listed.
    return []
  }
}

function isOpenToOthers(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & 0o077) !== 0
}
