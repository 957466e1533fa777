// Brings what is revoked to every server that would still let it in. Nobody waits for that, and it is tried until the server has it or
// the certificates have ended by themselves.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { folderBelowHome } from '../../domain/server-folder.ts'
import { writeRevocations } from '../../remote/access/write-revocations.ts'
import { findRevocations, listServersToTell, updateToldRevocations } from '../../store/access/revocations.ts'
import type { JobRun } from './jobs/server-job.ts'
import type { ServerJobs } from './jobs/server-jobs.ts'

const LOOK_MS = 15_000

export type RevocationSync = {
  start(): void
  /** Resolves when every server was told or could not be reached. */
  runOnce(): Promise<void>
  stop(): void
}

export function syncRevocations(ctx: Context, serverJobs: ServerJobs): RevocationSync {
  const kept = serverJobs.define({
    failureMessage: 'a server could not be told which certificates are revoked',
    recoveryMessage: 'a server knows again which certificates are revoked',
    everyMs: LOOK_MS,
    retryMs: LOOK_MS,
    concurrency: 3,
    listEveryMs: LOOK_MS,
    list: () => listServersToTell(ctx.db, ctx.clock()),
    run: (at) => updateServer(ctx, at),
  })
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => {
        if (about !== 'revocations') return
        kept.relist()
        kept.checkDue()
      })
      kept.start()
    },
    runOnce: kept.runOnce,
    stop: () => endListening(),
  }
}

async function updateServer(ctx: Context, { server, host }: JobRun): Promise<void> {
  const revocations = await findRevocations(ctx.db, server.id, ctx.clock())
  if (!revocations || revocations.told >= revocations.count) return
  await writeRevocations(host(), folderBelowHome(ctx, server), revocations)
  // Not where more was revoked meanwhile: then the server is told once more.
  await ctx.change(PLATFORM, (tx) => updateToldRevocations(tx, server.id, revocations.count))
}
