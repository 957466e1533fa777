// Sends revoked ssh certificates to every server that would still accept them. Retries until the server has the list or the certificates
// have expired.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { folderBelowHome } from '../../domain/server-folder.ts'
import { writeRevocations } from '../../remote/access/write-revocations.ts'
import { findRevocations, listServersToTell, updateToldRevocations } from '../../store/access/revocations.ts'
import type { JobRun } from './jobs/server-job.ts'
import type { ServerJobs } from './jobs/server-jobs.ts'

const SYNC_MS = 15_000

export type RevocationSync = {
  start(): void
  /** Resolves when every server is up to date or was unreachable. */
  runOnce(): Promise<void>
  stop(): void
}

export function syncRevocations(ctx: Context, serverJobs: ServerJobs): RevocationSync {
  const job = serverJobs.define({
    failureMessage: 'revoked certificates could not be sent to a server',
    recoveryMessage: 'revoked certificates can be sent to a server again',
    everyMs: SYNC_MS,
    retryMs: SYNC_MS,
    concurrency: 3,
    listEveryMs: SYNC_MS,
    list: () => listServersToTell(ctx.db, ctx.clock()),
    run: (run) => updateServer(ctx, run),
  })
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => {
        if (about !== 'revocations') return
        job.relist()
        job.checkDue()
      })
      job.start()
    },
    runOnce: job.runOnce,
    stop: () => endListening(),
  }
}

async function updateServer(ctx: Context, { server, host }: JobRun): Promise<void> {
  const revocations = await findRevocations(ctx.db, server.id, ctx.clock())
  if (!revocations || revocations.told >= revocations.count) return
  await writeRevocations(host(), folderBelowHome(ctx, server), revocations)
  // The count that was sent: if more was revoked meanwhile, the server stays behind and is updated again.
  await ctx.change(PLATFORM, (tx) => updateToldRevocations(tx, server.id, revocations.count))
}
