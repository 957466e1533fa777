// Writes down a change in the transaction that makes it, so that neither can be there without the other.
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type { Actor, Automatic } from '../domain/people/actor.ts'
import { type AuditEntry, insertAuditEvent } from '../store/audit-events.ts'
import type { Tables } from '../store/tables/tables.ts'

type Change = Pick<AuditEntry, 'organizationId' | 'action' | 'target' | 'fields'>

export async function audit(ctx: Context, db: Kysely<Tables>, actor: Actor | Automatic, change: Change): Promise<void> {
  await insertAuditEvent(db, { ...change, actor, origin: actor.origin, at: ctx.clock() })
}
