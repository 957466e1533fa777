// Brings what is revoked to every server that would still let it in. Nobody waits for that, and it is tried until the server has it or
// the certificates have ended by themselves.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { folderBelowHome } from '../../domain/server-folder.ts'
import { writeRevocations } from '../../remote/access/write-revocations.ts'
import { findRevocations, listServersToTell, updateToldRevocations } from '../../store/access/revocations.ts'
import type { At } from './jobs/server-job.ts'
import type { ServerJobs } from './jobs/server-jobs.ts'

const LOOK_MS = 15_000

export type RevocationKeeper = {
  start(): void
  /** Resolves when every server was told or could not be reached. */
  look(): Promise<void>
  stop(): void
}

export function keepRevocations(ctx: Context, serverJobs: ServerJobs): RevocationKeeper {
  const kept = serverJobs.define({
    trouble: 'a server could not be told which certificates are revoked',
    over: 'a server knows again which certificates are revoked',
    everyMs: LOOK_MS,
    retryMs: LOOK_MS,
    atOnce: 3,
    listMs: LOOK_MS,
    list: () => listServersToTell(ctx.db, ctx.clock()),
    run: (at) => updateServer(ctx, at),
  })
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => {
        if (about !== 'revocations') return
        kept.listAgain()
        kept.checkDue()
      })
      kept.start()
    },
    look: kept.runOnce,
    stop: () => endListening(),
  }
}

async function updateServer(ctx: Context, { server, host }: At): Promise<void> {
  const revocations = await findRevocations(ctx.db, server.id, ctx.clock())
  if (!revocations || revocations.told >= revocations.count) return
  await writeRevocations(host(), folderBelowHome(ctx, server), revocations)
  // Not where more was revoked meanwhile: then the server is told once more.
  await ctx.change(PLATFORM, (tx) => updateToldRevocations(tx, server.id, revocations.count))
}
