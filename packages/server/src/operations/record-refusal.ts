// Records that a member tried something beyond its role, since the attempt itself leaves no trace. Repeated attempts leave
// one event an hour.
import type { Context } from '../context.ts'
import { AppError } from '../domain/errors.ts'
import type { Actor } from '../domain/people/actor.ts'
import { insertRefusal } from '../store/audit-bounds.ts'
import type { AuditEntry } from '../store/audit-events.ts'

type Attempt = { readonly organizationId: number } & Pick<AuditEntry, 'action' | 'target'>

/** Written outside the transaction, which is rolled back. Only for members. */
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
