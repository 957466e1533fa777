// Rows of certificates: what a project was given or has ordered. The private key stays in the row, sealed.
import { type Kysely, type Selectable, sql } from 'kysely'
import { covers, hostsOf } from '../../domain/certificate.ts'
import type { Change } from '../change.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'

export type Certificate = {
  readonly id: number
  readonly projectId: number
  readonly source: 'supplied' | 'acme'
  /** Null for a supplied one. */
  readonly domain: string | null
  readonly names: readonly string[]
  /** Null until an order has succeeded. */
  readonly issued: { readonly issuer: string; readonly notBefore: number; readonly notAfter: number } | null
  readonly failures: number
  readonly lastError: string | null
  readonly nextAttemptAt: number | null
  readonly servers: readonly { readonly id: number; readonly name: string }[]
}

/** The caller has found the project. */
export async function findSuppliedCertificate(db: Kysely<Tables>, projectId: number): Promise<Certificate | undefined> {
  const row = await selectCertificates(db, projectId).where('domain', 'is', null).executeTakeFirst()
  return row && (await withServers(db, [row]))[0]
}

export async function listCertificates(
  db: Kysely<Tables>,
  projectId: number,
  page: PageRequest,
): Promise<Page<Certificate>> {
  const rows = await selectCertificates(db, projectId)
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before ?? 0))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(await withServers(db, rows), page)
}

export type IssuedValues = {
  readonly key_id: string
  readonly chain: string
  readonly private_key_sealed: string
  /** JSON as text. */
  readonly names: string
  readonly issuer: string
  readonly fingerprint: string
  readonly not_before: number
  readonly not_after: number
}

export async function replaceSuppliedCertificate(
  tx: Change,
  projectId: number,
  { at, ...values }: IssuedValues & { readonly at: number },
): Promise<void> {
  await tx
    .insertInto('certificates')
    .values({ project_id: projectId, source: 'supplied', ...values, created_at: at, updated_at: at })
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .where('domain', 'is', null)
        .doUpdateSet({ ...values, last_error: null, updated_at: at }),
    )
    .execute()
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
  tx.notify({ about: 'routes' })
}

/** True if there was one. */
export async function deleteSuppliedCertificate(tx: Change, projectId: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('certificates')
    .where('project_id', '=', projectId)
    .where('domain', 'is', null)
    .returning('id')
    .execute()
  if (deleted.length === 0) return false
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
  tx.notify({ about: 'routes' })
  return true
}

/** An edge did not take it. */
export async function updateRefused(
  tx: Change,
  id: number,
  { error, at }: { readonly error: string; readonly at: number },
): Promise<void> {
  const refused = await tx
    .updateTable('certificates')
    .set({ last_error: error, updated_at: at })
    .where('id', '=', id)
    .returning('project_id')
    .executeTakeFirst()
  if (refused) tx.notify({ about: 'project', id: refused.project_id, how: 'updated' })
}

/** Domains of environments that the edge of a server can answer by https: their certificate is installed there. */
export async function listSecureDomains(db: Kysely<Tables>, serverId: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ domain: string; names: string; base: string; custom_domains: string }>`
    select d.domain, c.names, p.domain as base, p.custom_domains
    from environments e
    join domains d on d.environment_id = e.id
    join projects p on p.id = e.project_id and p.tls <> 'off'
    join certificates c on c.project_id = p.id
      and ((p.tls = 'automatic' and c.domain = d.domain) or (p.tls = 'certificate' and c.domain is null))
    join installed_certificates i on i.certificate_id = c.id and i.server_id = ${serverId}
    where e.removed_at is null`.execute(db)
  return new Set(
    rows
      .filter(({ domain, names, base, custom_domains }) =>
        covers(hostsOf(JSON.parse(names), { domain: base, customDomains: JSON.parse(custom_domains) }), domain),
      )
      .map(({ domain }) => domain),
  )
}

const selectCertificates = (db: Kysely<Tables>, projectId: number) =>
  db.selectFrom('certificates').where('project_id', '=', projectId).selectAll()

async function withServers(
  db: Kysely<Tables>,
  rows: readonly Selectable<Tables['certificates']>[],
): Promise<Certificate[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const installed = await db
    .selectFrom('installed_certificates as i')
    .innerJoin('servers as s', 's.id', 'i.server_id')
    .where('i.certificate_id', 'in', ids)
    .select(['i.certificate_id', 's.id', 's.name'])
    .orderBy('s.id')
    .execute()
  const servers = Map.groupBy(installed, (row) => row.certificate_id)
  return rows.map((row) => toCertificate(row, servers.get(row.id) ?? []))
}

function toCertificate(
  row: Selectable<Tables['certificates']>,
  servers: readonly { readonly id: number; readonly name: string }[],
): Certificate {
  const { issuer, not_before: notBefore, not_after: notAfter } = row
  return {
    id: row.id,
    projectId: row.project_id,
    source: row.source,
    domain: row.domain,
    names: JSON.parse(row.names),
    issued: issuer === null || notBefore === null || notAfter === null ? null : { issuer, notBefore, notAfter },
    failures: row.failures,
    lastError: row.last_error,
    nextAttemptAt: row.next_attempt_at,
    servers: servers.map(({ id, name }) => ({ id, name })),
  }
}
