// How long deliveries take to be answered: 1,000 in 10 seconds over 4 connections, to two platforms on one PostgreSQL; and whether
// the time of a refusal tells anything.
import { loadWebhooks } from '../e2e/webhooks/load.ts'
import type { DatabaseName } from '../tools/platform.ts'
import { benchRefusals } from './refusals.ts'
import type { Verdict } from './verdict.ts'

const MOST_MS = 250

/** Two platforms share a PostgreSQL; on the embedded database there is nothing of the kind to measure. */
export async function benchWebhooks(name: DatabaseName): Promise<readonly Verdict[]> {
  const refusals = await benchRefusals(name)
  return name === 'embedded' ? refusals : [...refusals, ...(await benchLoad())]
}

async function benchLoad(): Promise<readonly Verdict[]> {
  const { sent, milliseconds, faults } = await loadWebhooks({ deliveries: 1000, seconds: 10 })
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const detail = `${sent} deliveries, p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, most ${at(1).toFixed(0)} ms`
  return [
    { what: 'p99 of the answer to a delivery', figure: at(0.99) / 1000, unit: 's', atMost: MOST_MS / 1000, detail },
    {
      what: 'deliveries lost or taken twice',
      figure: faults.length,
      atMost: 0,
      detail: faults.slice(0, 5).join('; ') || 'none',
    },
  ]
}
