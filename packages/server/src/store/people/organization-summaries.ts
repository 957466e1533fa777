// All organizations of the installation with their owners and counts, for platform administrators.
import { type Kysely, sql } from 'kysely'
import { idList } from '../id-list.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'

type Counted = {
  readonly id: number
  readonly name: string
  readonly createdAt: number
  readonly memberCount: number
  readonly projectCount: number
  readonly serverCount: number
}
export type OrganizationSummary = Counted & {
  readonly owners: readonly { readonly id: number; readonly name: string }[]
}

export async function listOrganizationSummaries(
  db: Kysely<Tables>,
  page: PageRequest,
): Promise<Page<OrganizationSummary>> {
  const { rows } = await sql<Counted>`
    select o.id, o.name, o.created_at as "createdAt",
      (select count(*) from memberships m where m.organization_id = o.id) as "memberCount",
      (select count(*) from projects p where p.organization_id = o.id) as "projectCount",
      (select count(*) from servers s where s.organization_id = o.id) as "serverCount"
    from organizations o
    where o.id < ${page.before ?? Number.MAX_SAFE_INTEGER}
    order by o.id desc limit ${page.limit + 1}`.execute(db)
  const { items, next } = pageOf(rows, page)
  const owners = await listOwners(
    db,
    items.map(({ id }) => id),
  )
  return { items: items.map((item) => ({ ...item, owners: owners.get(item.id) ?? [] })), next }
}

/** By organization, oldest member first. */
async function listOwners(db: Kysely<Tables>, organizationIds: readonly number[]) {
  if (organizationIds.length === 0) return new Map<number, never>()
  const { rows } = await sql<{ organizationId: number; id: number; name: string }>`
    select m.organization_id as "organizationId", u.id, u.name
    from memberships m join users u on u.id = m.user_id
    where m.role = 'owner' and m.organization_id in (${idList(organizationIds)})
    order by m.created_at, u.id`.execute(db)
  return Map.groupBy(rows, ({ organizationId }) => organizationId)
}
