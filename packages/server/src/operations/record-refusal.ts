// Writes down that a member tried to go beyond the own role: nothing else is left of an attempt. Who tries the same again and again leaves
// one line in an hour.
import type { Context } from '../context.ts'
import { AppError } from '../domain/errors.ts'
import type { Actor } from '../domain/people/actor.ts'
import { insertRefusal } from '../store/audit-bounds.ts'
import type { AuditEntry } from '../store/audit-events.ts'

type Attempt = { readonly organizationId: number } & Pick<AuditEntry, 'action' | 'target'>

/** Outside the transaction, which takes back what it wrote. Strangers are not members, and leave no line here. */
export async function recordRefusal<T>(
  ctx: Context,
  actor: Actor,
  attempt: Attempt,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const isRefusal = error instanceof AppError && error.code === 'insufficient_role'
    if (isRefusal) await insertRefusal(ctx.db, { ...attempt, actor, origin: actor.origin, at: ctx.clock() })
    throw error
  }
}
