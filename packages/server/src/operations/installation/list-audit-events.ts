// Lists the audit log of an organization, for its administrators.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { type AuditEvent, type AuditFilter, listAuditEvents as listRows } from '../../store/audit-events.ts'
import type { Page, PageRequest } from '../../store/page.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { orNotFound } from '../or-not-found.ts'

type AuditRequest = { readonly organizationId: number; readonly filter: AuditFilter; readonly page: PageRequest }

export async function listAuditEvents(
  ctx: Context,
  actor: Actor,
  { organizationId, filter, page }: AuditRequest,
): Promise<Page<AuditEvent>> {
  orNotFound(await findOrganization(ctx.db, actor, organizationId), 'organization')
  demand(actor, 'administer', organizationId)
  return listRows(ctx.db, { organizationId, filter, page })
}
