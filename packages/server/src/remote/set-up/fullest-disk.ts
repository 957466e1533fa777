// Measures disks of a server, and reads the output of `df -Pk`. It comes from the server: implausible numbers count as not measured.
import { measureDisks } from '../../commands/stats.ts'
import type { Host } from '../host.ts'

type FullestDisk = { readonly freeBytes: number; readonly totalBytes: number }

/**
 * Measures the fullest disk of a server that deployments need. Undefined if the output cannot be read. The exit code is ignored, since one of
 * the folders may not exist.
 */
export async function measureDisk(host: Host): Promise<FullestDisk | undefined> {
  const { stdout } = await host.run(measureDisks, { timeoutMs: TIMEOUT_MS })
  return fullestDisk(stdout.toString())
}

const TIMEOUT_MS = 30_000

export function fullestDisk(printed: string): FullestDisk | undefined {
  const disks = printed
    .slice(0, 10_000)
    .split('\n')
    .flatMap((line) => {
      const [, total, free] = LINE.exec(line) ?? []
      if (total === undefined || free === undefined || Number(total) === 0 || Number(total) > MOST_KIB) return []
      if (Number(free) > Number(total)) return []
      return [{ freeBytes: Math.max(0, Number(free)) * 1024, totalBytes: Number(total) * 1024 }]
    })
  return disks.toSorted((one, other) => one.freeBytes - other.freeBytes)[0]
}

const LINE = /\s(\d{1,15})\s+\d{1,15}\s+(-?\d{1,15})\s+\d{1,3}%\s/

/** Keeps numbers of bytes exact. */
const MOST_KIB = 2 ** 42
