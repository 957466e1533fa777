// Rows of server_checks: the last check of each server.
import { Check } from '@shipway/api/servers'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type KeptCheck = {
  readonly checkedAt: number
  readonly checks: readonly Check[]
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null
}

/** The caller has found the server. */
export async function findServerCheck(db: Kysely<Tables>, serverId: number): Promise<KeptCheck | undefined> {
  const row = await db.selectFrom('server_checks').where('server_id', '=', serverId).selectAll().executeTakeFirst()
  if (!row) return undefined
  const { disk_free_bytes: freeBytes, disk_total_bytes: totalBytes } = row
  return {
    checkedAt: row.checked_at,
    checks: z.array(Check).parse(JSON.parse(row.checks)),
    disk: freeBytes === null || totalBytes === null ? null : { freeBytes, totalBytes },
  }
}

/** Of all servers of the installation, for its operator. */
export async function listFailedChecks(
  db: Kysely<Tables>,
): Promise<readonly { readonly server: string; readonly detail: string }[]> {
  const rows = await db
    .selectFrom('server_checks as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .orderBy('s.id')
    .select(['s.name', 'c.checks'])
    .execute()
  return rows.flatMap(({ name: server, checks }) =>
    z
      .array(Check)
      .parse(JSON.parse(checks))
      .filter(({ status }) => status === 'failed')
      .map(({ message: detail }) => ({ server, detail })),
  )
}

export async function upsertServerCheck(tx: Change, serverId: number, check: KeptCheck): Promise<void> {
  const values = {
    checked_at: check.checkedAt,
    checks: JSON.stringify(check.checks),
    disk_free_bytes: check.disk?.freeBytes ?? null,
    disk_total_bytes: check.disk?.totalBytes ?? null,
  }
  await tx
    .insertInto('server_checks')
    .values({ server_id: serverId, ...values })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(values))
    .execute()
  tx.notify({ about: 'server', id: serverId, how: 'updated' })
}

/** The check was of another machine. The caller, who changes the server, notifies of it. */
export async function deleteServerCheck(tx: Change, serverId: number): Promise<void> {
  await tx.deleteFrom('server_checks').where('server_id', '=', serverId).execute()
}
