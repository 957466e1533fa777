// Shows the audit log of an organization to those who administer it.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { type AuditEvent, listAuditEvents as listRows } from '../../store/audit-events.ts'
import type { Page, PageRequest } from '../../store/page.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { required } from '../required.ts'

export async function listAuditEvents(
  ctx: Context,
  actor: Actor,
  { organizationId, page }: { readonly organizationId: number; readonly page: PageRequest },
): Promise<Page<AuditEvent>> {
  required(await findOrganization(ctx.db, actor, organizationId), 'organization')
  demand(actor, 'administer', organizationId)
  return listRows(ctx.db, organizationId, page)
}
