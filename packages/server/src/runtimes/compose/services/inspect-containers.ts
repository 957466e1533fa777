// What the list of containers does not say: how often a container was restarted, and its last output.
import { loadScript, shell } from '../../../commands/script.ts'
import type { Host } from '../../../remote/host.ts'
import type { LastOutput } from '../../service-inspection.ts'

const LIMIT_MS = 30_000
/** In one command. */
const MOST_CONTAINERS = 500

/** By container id. Leaves out containers that have gone since. */
export async function countRestarts(host: Host, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const asked = ids.slice(0, MOST_CONTAINERS)
  if (asked.length === 0) return new Map()
  const { stdout } = await host.run(shell(inspectScript, 'shipway-inspect-containers', ...asked), {
    timeoutMs: LIMIT_MS,
  })
  const counted = [...stdout.toString().matchAll(/^([0-9a-f]{64}) ([0-9]{1,9})$/gm)]
  return new Map(counted.map(([, id = '', restarts]) => [id, Number(restarts)]))
}

/** Far more than is shown, since masking needs whole values. No value has more than 64 KiB. */
const READ_BYTES = 128 * 1024
const UNSURE_BYTES = 64 * 1024
const READ_LINES = 5_000
const READ_SECONDS = 5

export async function readLastOutput(host: Host, id: string): Promise<LastOutput> {
  const words = [id, ...[READ_LINES, READ_BYTES, READ_SECONDS].map(String)]
  const { stdout } = await host.run(shell(outputScript, 'shipway-last-lines', ...words), { timeoutMs: LIMIT_MS })
  return { printed: stdout.subarray(-READ_BYTES), unsureBytes: stdout.length < READ_BYTES ? 0 : UNSURE_BYTES }
}

const inspectScript = loadScript(import.meta.url, 'inspect-containers')
const outputScript = loadScript(import.meta.url, 'last-lines')
