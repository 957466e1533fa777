// Measures the fullest disk of a server that deployments need.
import { measureDisks } from '../../commands/disk.ts'
import type { Host } from '../host.ts'
import { fullestDisk } from './fullest-disk.ts'

const TIMEOUT_MS = 30_000

/** Undefined if the output cannot be read. The exit code is ignored, since one of the folders may not exist. */
export async function measureDisk(host: Host): Promise<ReturnType<typeof fullestDisk>> {
  const { stdout } = await host.run(measureDisks, { timeoutMs: TIMEOUT_MS })
  return fullestDisk(stdout.toString())
}
