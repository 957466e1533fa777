// Keeps whether the credentials of a connection work, as the git host said last.
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { findConnectionAnywhere, updateConnection } from '../../store/connections/connections.ts'

/** `fault`: null if the git host has accepted them. Only GitHub says that an App is suspended or removed. */
export async function recordHealth(
  ctx: Context,
  connection: Connection,
  fault: string | null,
  failed: 'failing' | 'suspended' | 'removed' = 'failing',
): Promise<void> {
  const status = fault === null ? 'active' : failed
  await ctx.change(PLATFORM, async (tx) => {
    const present = await findConnectionAnywhere(tx, connection.id)
    // Other credentials since: what the earlier ones met says nothing.
    if (!present || !hasCredentialsOf(present, connection)) return
    // Suspended or removed while the git host was asked: that is newer.
    if (fault === null && present.status !== connection.status) return
    await updateConnection(tx, connection, {
      status,
      status_reason: fault,
      ...(fault === null && { checked_at: ctx.clock() }),
    })
  })
}

const hasCredentialsOf = (one: Connection, other: Connection): boolean =>
  one.tokenSealed === other.tokenSealed &&
  one.app?.privateKeySealed === other.app?.privateKeySealed &&
  one.app?.installationId === other.app?.installationId
