// Sees that git hosts have the deploy keys and webhooks of projects, and removes those of deleted ones.
import type { Context } from '../../context.ts'
import { ensureTakenAccess, takeNextAccess } from '../../operations/connections/ensure-access.ts'
import { removeTakenAccess, takeNextRemoval } from '../../operations/connections/remove-access.ts'
import { askHosts } from './ask-hosts.ts'

export async function checkAccess(ctx: Context, signal: AbortSignal): Promise<void> {
  await Promise.all([removeDueAccess(ctx, signal), ensureDueAccess(ctx, signal)])
}

const ensureDueAccess = (ctx: Context, signal: AbortSignal): Promise<void> =>
  askHosts({ take: (busy) => takeNextAccess(ctx, busy), work: (taken) => ensureTakenAccess(ctx, taken) }, signal)

const removeDueAccess = (ctx: Context, signal: AbortSignal): Promise<void> =>
  askHosts(
    {
      take: async (busy) => {
        const removal = await takeNextRemoval(ctx, busy)
        return removal && { removal, projectId: null, organizationId: removal.organizationId }
      },
      work: ({ removal }) => removeTakenAccess(ctx, removal),
    },
    signal,
  )
