// Rows of installed_certificates: what the edge of each server holds, and what it should hold.
import { type Kysely, sql } from 'kysely'
import { hostsOf } from '../../domain/certificate.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import { serversOfMachine } from '../servers/machines.ts'
import { toServerAddress } from '../servers/server-addresses.ts'
import type { Tables } from '../tables/tables.ts'

export type WantedCertificate = {
  readonly id: number
  readonly keyId: string
  readonly chain: string
  readonly privateKeySealed: string
  readonly fingerprint: string
  readonly hosts: readonly string[]
}

export type InstalledCertificate = { readonly certificateId: number; readonly digest: string }

/** Those with an edge of their own. */
export async function listEdgeServers(db: Kysely<Tables>): Promise<readonly ServerAddress[]> {
  return (await selectEdgeServers(db).execute()).map(toServerAddress)
}

/** Of those, the ones that hold certificates or may have to. Most servers of an installation have none. */
export async function listCertificateServers(db: Kysely<Tables>): Promise<readonly ServerAddress[]> {
  const { rows } = await sql<{ server_id: number }>`
    select server_id from installed_certificates
    union select o.server_id from certificates c join projects p on p.id = c.project_id and p.tls = 'certificate'
      join project_servers o on o.project_id = p.id where c.chain is not null
    union select e.server_id from certificates c join projects p on p.id = c.project_id and p.tls <> 'off'
      join environments e on e.project_id = p.id and e.removed_at is null where c.chain is not null
    union select t.server_id from certificates c join routes r on r.domain = c.domain
      join tasks t on t.id = r.task_id where c.chain is not null and t.server_id is not null`.execute(db)
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.server_id)
  return (
    await selectEdgeServers(db)
      .where(sql<boolean>`id in (${idList(ids)})`)
      .execute()
  ).map(toServerAddress)
}

const selectEdgeServers = (db: Kysely<Tables>) =>
  db.selectFrom('servers').where('edge', '=', 'haproxy').selectAll().orderBy('id')

/**
 * A supplied certificate goes to every server of its project, before anything is deployed there; an ordered one to the server
 * of the environment that has its domain, and to the one that serves it where that is still another.
 */
export async function listWantedCertificates(
  db: Kysely<Tables>,
  serverId: number,
): Promise<readonly WantedCertificate[]> {
  const servers = serversOfMachine(serverId)
  const { rows } = await sql<Row>`
    select c.id, c.key_id, c.chain, c.private_key_sealed, c.fingerprint, c.names, c.domain, p.domain as base, p.custom_domains
    from certificates c
    join projects p on p.id = c.project_id
    where c.chain is not null and (
      (p.tls = 'certificate' and c.domain is null and (
        exists (select 1 from project_servers o where o.project_id = p.id and o.server_id in ${servers})
        or exists (select 1 from environments e
          where e.project_id = p.id and e.server_id in ${servers} and e.removed_at is null)))
      or (p.tls = 'automatic' and exists (
        select 1 from domains d join environments e on e.id = d.environment_id
        where d.domain = c.domain and e.project_id = p.id and e.removed_at is null and (e.server_id in ${servers}
          or exists (select 1 from routes r join tasks t on t.id = r.task_id
            where r.domain = d.domain and t.server_id in ${servers})))))
    order by c.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    keyId: row.key_id,
    chain: row.chain,
    privateKeySealed: row.private_key_sealed,
    fingerprint: row.fingerprint,
    hosts:
      row.domain === null
        ? hostsOf(JSON.parse(row.names), { domain: row.base, customDomains: JSON.parse(row.custom_domains) })
        : [row.domain],
  }))
}

type Row = {
  readonly id: number
  readonly key_id: string
  readonly chain: string
  readonly private_key_sealed: string
  readonly fingerprint: string
  readonly names: string
  readonly domain: string | null
  readonly base: string
  readonly custom_domains: string
}

export async function listInstalledCertificates(
  db: Kysely<Tables>,
  serverId: number,
): Promise<readonly InstalledCertificate[]> {
  const rows = await db
    .selectFrom('installed_certificates')
    .where('server_id', '=', serverId)
    .select(['certificate_id', 'digest'])
    .orderBy('certificate_id')
    .execute()
  return rows.map((row) => ({ certificateId: row.certificate_id, digest: row.digest }))
}

/** A server that was deleted meanwhile holds nothing. */
export async function replaceInstalledCertificates(
  tx: Change,
  serverId: number,
  { installed, at }: { readonly installed: readonly InstalledCertificate[]; readonly at: number },
): Promise<void> {
  const before = await listInstalledCertificates(tx, serverId)
  await tx.deleteFrom('installed_certificates').where('server_id', '=', serverId).execute()
  for (const { certificateId, digest } of installed) {
    await sql`insert into installed_certificates (server_id, certificate_id, digest, installed_at)
      select id, ${certificateId}, ${digest}, ${at} from servers where id = ${serverId}`.execute(tx)
  }
  await notifyOfDifference(tx, before, installed)
}

/** A certificate shows which servers have it; and the edge sends plain requests on to https where there is one, and else does not. */
async function notifyOfDifference(
  tx: Change,
  before: readonly InstalledCertificate[],
  after: readonly InstalledCertificate[],
): Promise<void> {
  const has = (some: readonly InstalledCertificate[], one: InstalledCertificate): boolean =>
    some.some(({ certificateId, digest }) => certificateId === one.certificateId && digest === one.digest)
  const different = [...before.filter((one) => !has(after, one)), ...after.filter((one) => !has(before, one))]
  if (different.length === 0) return
  tx.notify({ about: 'routes' })
  const ids = different.map(({ certificateId }) => certificateId)
  const rows = await tx.selectFrom('certificates').where('id', 'in', ids).select('project_id').execute()
  for (const { project_id: id } of rows) tx.notify({ about: 'project', id, how: 'updated' })
}
