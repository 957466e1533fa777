// Deletes a connection that no project uses.
import type { Context } from '../../context.ts'
import { InUse } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { listRepositoriesToRemove } from '../../store/connections/access-removals.ts'
import { deleteConnection as deleteRow, listProjectsOfConnection } from '../../store/connections/connections.ts'
import { findConnectionForUpdate } from './find-connection-for-update.ts'

/** More names would not fit on a page. */
const MOST_NAMES = 10

export async function deleteConnection(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const connection = await findConnectionForUpdate(tx, actor, id)
    const projects = await listProjectsOfConnection(tx, id)
    if (projects.length > 0) throw InUse(`Projects use this connection: ${namesOf(projects)}. Delete them first`)
    // Credentials that no longer work can remove nothing.
    const waiting = connection.status === 'active' ? await listRepositoriesToRemove(tx, id) : []
    if (waiting.length > 0)
      throw InUse(
        `Keys and webhooks of deleted projects are still being removed from ${namesOf(waiting)}. Try again in a few minutes`,
      )
    await deleteRow(tx, connection)
    await tx.audit({
      organizationId: connection.organizationId,
      action: 'connection.deleted',
      target: { kind: 'connection', id, name: connection.name },
    })
  })
}

function namesOf(projects: readonly string[]): string {
  const shown = projects.slice(0, MOST_NAMES).join(', ')
  return projects.length > MOST_NAMES ? `${shown} and ${projects.length - MOST_NAMES} more` : shown
}
