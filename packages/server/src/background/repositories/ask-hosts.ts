// Works through a queue whose rows ask git hosts: many at once, one of a project and few of an organization, so that a git host that
// answers slowly or not at all delays only its own organization.
import { setTimeout as pause } from 'node:timers/promises'
import type { BusyOwners } from '../../store/busy-owners.ts'

const MOST_AT_ONCE = 16
const MOST_PER_ORGANIZATION = 2
/** While some are under way, others become due. */
const POLL_MS = 500

type OwnedRow = { readonly projectId: number | null; readonly organizationId: number }

type HostQueue<Row extends OwnedRow> = {
  readonly take: (busy: BusyOwners) => Promise<Row | undefined>
  /** Keeps its own faults: what it throws ends the work. */
  readonly work: (row: Row) => Promise<void>
}

/** Resolves when nothing is due and everything that was taken has ended. */
export async function askHosts<Row extends OwnedRow>(
  { take, work }: HostQueue<Row>,
  signal: AbortSignal,
): Promise<void> {
  const underWay = new Map<Row, Promise<void>>()
  const faults: unknown[] = []
  const begin = (row: Row): void => {
    const ended = work(row)
      .catch((error: unknown) => void faults.push(error))
      .finally(() => underWay.delete(row))
    underWay.set(row, ended)
  }
  while (!signal.aborted && faults.length === 0) {
    const row = underWay.size < MOST_AT_ONCE ? await take(busyOwners([...underWay.keys()])) : undefined
    if (row) begin(row)
    else if (underWay.size === 0) break
    else await firstOf([...underWay.values()])
  }
  await Promise.all(underWay.values())
  if (faults.length > 0) throw faults[0]
}

/** The first that ends, or a moment. */
async function firstOf(underWay: readonly Promise<void>[]): Promise<void> {
  const stopped = new AbortController()
  const moment = pause(POLL_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
  await Promise.race([...underWay, moment])
  stopped.abort()
}

function busyOwners(rows: readonly OwnedRow[]): BusyOwners {
  const counts = new Map<number, number>()
  for (const { organizationId } of rows) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
  return {
    projects: rows.flatMap(({ projectId }) => projectId ?? []),
    organizations: [...counts].flatMap(([id, count]) => (count >= MOST_PER_ORGANIZATION ? [id] : [])),
  }
}
