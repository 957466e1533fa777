// Rows of service_samples: what the services of an environment used. Pages read them again by themselves, so there are no change events.
import { type Kysely, sql } from 'kysely'
import { type Slots, slotOf } from '../../domain/metrics/resolutions.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import { repeatableTransaction } from '../repeatable-transaction.ts'
import type { Tables } from '../tables/tables.ts'
import { fromThousandths, thousandths } from './server-samples.ts'

/** Null stands for what was not measured. */
export type ServiceSample = {
  readonly environmentId: number
  readonly service: string
  /** Cores. */
  readonly cpu: number | null
  readonly memoryBytes: number | null
  readonly memoryLimitBytes: number | null
  /** Bytes per second. */
  readonly networkIn: number | null
  readonly networkOut: number | null
  /** Since the sample before. */
  readonly restarts: number
  readonly oomKills: number
}

/** In one slot, over all servers: bounds the table, since each service has as many rows as there are slots. */
const MOST_SERVICES = 2_000
const ROWS_AT_ONCE = 500

/** Leaves out removed environments, and services beyond the bound. Not flushed: a lost sample is a gap. */
export async function insertServiceSamples(
  db: Kysely<Tables>,
  at: number,
  samples: readonly ServiceSample[],
): Promise<void> {
  if (samples.length === 0) return
  const slot = slotOf(30, at)
  const there = await listThere(db, [...new Set(samples.map(({ environmentId }) => environmentId))])
  const room = MOST_SERVICES - (await countRows(db, slot))
  const rows = samples
    .filter(({ environmentId }) => there.has(environmentId))
    .slice(0, Math.max(0, room))
    .map((sample) => toRow(sample, slot))
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await repeatableTransaction(db).execute((tx) =>
      tx
        .insertInto('service_samples')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  }
}

async function listThere(db: Kysely<Tables>, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from environments where id in (${idList(ids)}) and removed_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function countRows(db: Kysely<Tables>, slot: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from service_samples where step = 30 and at = ${slot}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

const toRow = (sample: ServiceSample, at: number) => ({
  environment_id: sample.environmentId,
  service: sample.service,
  step: 30 as const,
  at,
  cpu: thousandths(sample.cpu),
  memory_bytes: sample.memoryBytes,
  memory_limit_bytes: sample.memoryLimitBytes,
  network_in: sample.networkIn === null ? null : Math.round(sample.networkIn),
  network_out: sample.networkOut === null ? null : Math.round(sample.networkOut),
  restarts: sample.restarts,
  oom_kills: sample.oomKills,
})

export type StoredServiceSample = Omit<ServiceSample, 'environmentId'> & { readonly at: number }

/** Oldest first. The caller has found the environment. */
export async function listServiceSamples(
  db: Kysely<Tables>,
  environmentId: number,
  { step, from }: Pick<Slots, 'step' | 'from'>,
): Promise<readonly StoredServiceSample[]> {
  const rows = await db
    .selectFrom('service_samples')
    .where('environment_id', '=', environmentId)
    .where('step', '=', step)
    .where('at', '>=', from)
    .orderBy('at')
    .selectAll()
    .execute()
  return rows.map((row) => ({
    at: row.at,
    service: row.service,
    cpu: fromThousandths(row.cpu),
    memoryBytes: row.memory_bytes,
    memoryLimitBytes: row.memory_limit_bytes,
    networkIn: row.network_in,
    networkOut: row.network_out,
    restarts: row.restarts,
    oomKills: row.oom_kills,
  }))
}

export async function deleteServiceSamples(tx: Change, environmentId: number): Promise<void> {
  await tx.deleteFrom('service_samples').where('environment_id', '=', environmentId).execute()
}
