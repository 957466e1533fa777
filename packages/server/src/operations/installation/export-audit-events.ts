// Exports the audit log of an organization in batches, for its administrators. The export itself is recorded.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { type AuditEvent, type AuditFilter, listAuditEvents } from '../../store/audit-events.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { orNotFound } from '../or-not-found.ts'

type Export = { readonly organizationId: number; readonly filter: AuditFilter }

/** Small: each export holds one while its client does not read, and other requests wait for one to be read. */
const BATCH = 25

/** Checks permissions before the first batch. The event about the export itself comes after its content. */
export async function exportAuditEvents(
  ctx: Context,
  actor: Actor,
  { organizationId, filter }: Export,
): Promise<AsyncGenerator<readonly AuditEvent[], void>> {
  const { name } = orNotFound(await findOrganization(ctx.db, actor, organizationId), 'organization')
  demand(actor, 'administer', organizationId)
  const first = await listAuditEvents(ctx.db, { organizationId, filter, page: { limit: BATCH, before: undefined } })
  await ctx.change(actor, (tx) =>
    tx.audit({ organizationId, action: 'audit.exported', target: { kind: 'organization', id: organizationId, name } }),
  )
  return batches(ctx, { organizationId, filter, first })
}

async function* batches(
  ctx: Context,
  { organizationId, filter, first }: Export & { readonly first: Awaited<ReturnType<typeof listAuditEvents>> },
): AsyncGenerator<readonly AuditEvent[], void> {
  let batch = first
  for (;;) {
    yield batch.items
    if (batch.next === undefined) return
    await yieldToRequests()
    batch = await listAuditEvents(ctx.db, { organizationId, filter, page: { limit: BATCH, before: batch.next } })
  }
}
