// Measures the fullest disk of a server that deployments need.
import { measureDisks } from '../../commands/disk.ts'
import type { Host } from '../host.ts'
import { fullestDisk } from './fullest-disk.ts'

const PATIENCE_MS = 30_000

/** Undefined where the server tells nothing that can be read. One of the folders may not be there, so how it ended says nothing. */
export async function measureDisk(host: Host): Promise<ReturnType<typeof fullestDisk>> {
  const { stdout } = await host.run(measureDisks, { timeoutMs: PATIENCE_MS })
  return fullestDisk(stdout.toString())
}
