// Removes the deploy key and the webhook of a deleted project from its git host.
import type { Context } from '../../context.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import type { BusyOwners } from '../../store/busy-owners.ts'
import { type AccessRemoval, takeAccessRemoval } from '../../store/connections/access-removals.ts'
import { findConnectionAnywhere } from '../../store/connections/connections.ts'
import { deleteLeased, postponeLeased } from '../../store/queue.ts'
import { openHost } from './ask-host.ts'
import { explainHostFault } from './explain-host-fault.ts'
import { recordHealth } from './record-health.ts'

/** Longer than both calls take: a process that dies leaves the row to the next. */
const LEASE_MS = 2 * 60_000
const PAUSES = { firstMs: 30_000, mostMs: 6 * 60 * 60_000 }
/** About three days. */
const MOST_ATTEMPTS = 20

export const takeNextRemoval = (ctx: Context, busy: BusyOwners): Promise<AccessRemoval | undefined> =>
  takeAccessRemoval(ctx.db, LEASE_MS, busy)

export async function removeTakenAccess(ctx: Context, removal: AccessRemoval): Promise<void> {
  const fault = await removeAccess(ctx, removal)
  if (fault && removal.attempts < MOST_ATTEMPTS) {
    const afterMs = Math.max(exponentialBackOff(removal.attempts, PAUSES), fault.retryAfterMs)
    await postponeLeased(ctx.db, 'access_removals', { ...removal, afterMs, error: fault.sentence })
    return
  }
  if (fault) {
    const { repository, deployKeyId, webhookId } = removal
    ctx.log.warn(
      { repository, deployKeyId, webhookId },
      'gave up removing a deploy key and a webhook: remove them at the git host',
    )
  }
  await deleteLeased(ctx.db, 'access_removals', removal)
}

async function removeAccess(ctx: Context, removal: AccessRemoval) {
  const { connectionId, repository, deployKeyId, webhookId } = removal
  const connection = await findConnectionAnywhere(ctx.db, connectionId)
  const host = connection && (await openHost(ctx, connection))
  if (!host) return undefined
  try {
    if (webhookId !== null) await ctx.connectedHosts.removeWebhook(host, repository, webhookId)
    if (deployKeyId !== null) await ctx.connectedHosts.removeDeployKey(host, repository, deployKeyId)
    return undefined
  } catch (error) {
    ctx.log.warn({ err: error, repository }, 'a deploy key or a webhook could not be removed')
    const fault = explainHostFault(error, connection, repository)
    if (fault.isRefusal) await recordHealth(ctx, connection, fault.sentence, fault.status)
    return fault
  }
}
