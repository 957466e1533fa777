// Reads what nodes of a Swarm report of themselves, asked by the manager in use: Docker tells it nothing of their memory, disks and containers.
// The set-up line and the join line install what answers. A node without it, or one that does not answer in time, has no report.
import { isIPv4 } from 'node:net'
import { loadScript, shell } from '../../commands/script.ts'
import { collectOutput } from '../collected-output.ts'
import { CommandStopped, type Host, TooMuchOutput } from '../host.ts'
import { fullestDisk } from '../set-up/fullest-disk.ts'

export type ReportRequest = {
  readonly addresses: readonly string[]
  /** Of one report. What comes after them is not read. */
  readonly bytes: number
  readonly signal?: AbortSignal | undefined
  /** In which a node must have answered. */
  readonly seconds?: number
}

/** Beyond that, nodes are not asked. */
const MOST_NODES = 200
/** Of all reports: a manager is believed no more than a node. */
const MOST_BYTES = 4_000_000
/** Of a report. One of 400 containers has some 500. */
const MOST_LINES = 2_000
const USUAL_SECONDS = 5
/** For the command beside the answers. */
const MORE_SECONDS = 10

/** By address. A report is whatever the node printed. */
export async function readUsageReports(
  host: Host,
  { addresses, bytes, signal, seconds = USUAL_SECONDS }: ReportRequest,
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(addresses)].filter((address) => isIPv4(address)).slice(0, MOST_NODES)
  if (asked.length === 0) return new Map()
  // Each line has a space more.
  const output = collectOutput(Math.min(asked.length * (2 * bytes + 100), MOST_BYTES))
  const command = shell(script, 'shipway-read-usage-reports', String(seconds), String(bytes), ...asked)
  const timeoutMs = (seconds + MORE_SECONDS) * 1000
  try {
    await host.run(command, { onOutput: output.add, timeoutMs, ...(signal && { signal }) })
  } catch (error) {
    // What the manager knows without the other nodes does not depend on them.
    if (saidTooMuch(error)) return new Map()
    throw error
  }
  return splitReports(output.bytes().toString())
}

/** More, or for longer, than a machine does that works. */
export const saidTooMuch = (error: unknown): boolean =>
  error instanceof TooMuchOutput || (error instanceof CommandStopped && error.reason === 'timed_out')

const script = loadScript(import.meta.url, 'read-usage-reports')

/** A last line that came in part is left out: half a number would look like a whole one. */
export function splitReports(printed: string): ReadonlyMap<string, string> {
  const [, ...sections] = `\n${printed.replace(/\n$/, '')}`.split('\nnode ', MOST_NODES + 1)
  const reports = sections.map((section) => {
    const [address = '', ...lines] = section.split('\n', MOST_LINES)
    return [address, lines.slice(0, -1).map((line) => `${line.slice(1)}\n`)] as const
  })
  return new Map(reports.filter(([, own]) => own.length > 0).map(([address, own]) => [address, own.join('')]))
}

/** Those come first in a report, and are this short. */
export const BYTES_OF_FREE = 4_000

export type Free = { readonly memory: number | null; readonly disk: number | null }

/** Null stands for what cannot be read. */
export function readFree(report: string): Free {
  const [, total, available] = /^memory ([0-9]{1,12}) ([0-9]{1,12})$/m.exec(report) ?? []
  const disks = report.split('\n').filter((line) => line.startsWith('disk '))
  return {
    memory: available === undefined || Number(available) > Number(total) ? null : Number(available) * 1024,
    disk: fullestDisk(disks.join('\n'))?.freeBytes ?? null,
  }
}
