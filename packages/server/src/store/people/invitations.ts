// Rows of invitations. The token of the link is kept as a digest; an accepted invitation stays, so that its link is known.
import type { Role } from '@shipway/api/people'
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Change } from '../change.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'

export type Invitation = {
  readonly id: number
  readonly organizationId: number
  readonly organizationName: string
  readonly email: string
  readonly emailKey: string
  readonly role: Role
  /** The current role; undefined if the inviter has left. */
  readonly invitedBy: { readonly id: number; readonly name: string; readonly role: Role | undefined }
  readonly createdAt: number
  readonly expiresAt: number
  readonly acceptedAt: number | null
}

/** An invitation that was not accepted, expired or not. */
export async function findInvitation(
  db: Kysely<Tables>,
  organizationId: number,
  by: { readonly id: number } | { readonly emailKey: string },
): Promise<Invitation | undefined> {
  const query = selectInvitations(db).where('i.organization_id', '=', organizationId).where('i.accepted_at', 'is', null)
  const row = await ('id' in by
    ? query.where('i.id', '=', by.id)
    : query.where('i.email_key', '=', by.emailKey)
  ).executeTakeFirst()
  return row && toInvitation(row)
}

export async function findInvitationByToken(db: Kysely<Tables>, digest: string): Promise<Invitation | undefined> {
  const row = await selectInvitations(db).where('i.token_digest', '=', digest).executeTakeFirst()
  return row && toInvitation(row)
}

/** The newest open invitation of any organization, for a user who has proven to own this address. */
export async function findNewestInvitation(
  db: Kysely<Tables>,
  emailKey: string,
  now: number,
): Promise<Invitation | undefined> {
  const row = await selectInvitations(db)
    .where('i.email_key', '=', emailKey)
    .where('i.accepted_at', 'is', null)
    .where('i.expires_at', '>', now)
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toInvitation(row)
}

type OpenInvitations = { readonly organizationId: number; readonly now: number }

export async function listOpenInvitations(
  db: Kysely<Tables>,
  { organizationId, now }: OpenInvitations,
  page: PageRequest,
): Promise<Page<Invitation>> {
  const rows = await selectInvitations(db)
    .where('i.organization_id', '=', organizationId)
    .where('i.accepted_at', 'is', null)
    .where('i.expires_at', '>', now)
    .$if(page.before !== undefined, (query) => query.where('i.id', '<', page.before ?? 0))
    .orderBy('i.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(rows.map(toInvitation), page)
}

export async function countOpenInvitations(
  db: Kysely<Tables>,
  { organizationId, now }: OpenInvitations,
): Promise<number> {
  const row = await db
    .selectFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertInvitation(tx: Change, values: Insertable<Tables['invitations']>): Promise<number> {
  const { id } = await tx.insertInto('invitations').values(values).returning('id').executeTakeFirstOrThrow()
  tx.notify({ about: 'organization', id: values.organization_id, how: 'updated' })
  return id
}

/** True for the one caller who takes an open invitation; later callers get false. */
export async function updateInvitationAccepted(tx: Change, id: number, now: number): Promise<boolean> {
  const accepted = await tx
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('organization_id')
    .executeTakeFirst()
  if (accepted) tx.notify({ about: 'organization', id: accepted.organization_id, how: 'updated' })
  return accepted !== undefined
}

export async function deleteInvitation(tx: Change, id: number): Promise<void> {
  const deleted = await tx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .returning('organization_id')
    .executeTakeFirst()
  if (deleted) tx.notify({ about: 'organization', id: deleted.organization_id, how: 'updated' })
}

function selectInvitations(db: Kysely<Tables>) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .innerJoin('users as u', 'u.id', 'i.invited_by')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.user_id', '=', 'i.invited_by').onRef('m.organization_id', '=', 'i.organization_id'),
    )
    .selectAll('i')
    .select(['o.name as organization_name', 'u.name as inviter_name', 'm.role as inviter_role'])
}

type InvitationRow = Selectable<Tables['invitations']> & {
  organization_name: string
  inviter_name: string
  inviter_role: Role | null
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    email: row.email,
    emailKey: row.email_key,
    role: row.role,
    invitedBy: { id: row.invited_by, name: row.inviter_name, role: row.inviter_role ?? undefined },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
  }
}
