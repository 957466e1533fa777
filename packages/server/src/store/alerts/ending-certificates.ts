// Certificates that end soon, and those with an open alert.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'

type EndingCertificate = {
  readonly id: number
  readonly organizationId: number
  readonly projectId: number
  readonly project: string
  readonly domain: string | null
  readonly notBefore: number
  readonly notAfter: number
}

export async function listEndingCertificates(
  db: Kysely<Tables>,
  endsBefore: number,
): Promise<readonly EndingCertificate[]> {
  const { rows } = await sql<{
    id: number
    organization_id: number
    project_id: number
    project: string
    domain: string | null
    not_before: number
    not_after: number
  }>`
    select c.id, p.organization_id, p.id as project_id, p.name as project, c.domain, c.not_before, c.not_after
    from certificates c join projects p on p.id = c.project_id
    where c.not_after is not null and c.not_before is not null and (c.not_after <= ${endsBefore}
      or c.id in (select target_id from alerts where rule = 'certificate_ending' and resolved_at is null))`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    project: row.project,
    domain: row.domain,
    notBefore: row.not_before,
    notAfter: row.not_after,
  }))
}
