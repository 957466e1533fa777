// Brings what is revoked to every server that would still let it in. Nobody waits for that, and it is tried until the server has it or
// the certificates have ended by themselves.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { writeRevocations } from '../../remote/access/write-revocations.ts'
import { findRevocations, listServersToTell, updateToldRevocations } from '../../store/access/revocations.ts'
import type { At } from '../looks/look.ts'
import type { Looks } from '../looks/looks.ts'
import { folderBelowHome } from '../server-folder.ts'

const LOOK_MS = 15_000

export type RevocationKeeper = {
  start(): void
  /** Resolves when every server was told or could not be reached. */
  look(): Promise<void>
  stop(): void
}

export function keepRevocations(ctx: Context, looks: Looks): RevocationKeeper {
  const kept = looks.keep({
    trouble: 'a server could not be told which certificates are revoked',
    over: 'a server knows again which certificates are revoked',
    ...{ everyMs: LOOK_MS, retryMs: LOOK_MS, atOnce: 3, listMs: LOOK_MS },
    list: () => listServersToTell(ctx.db, ctx.clock()),
    look: (at) => tellServer(ctx, at),
  })
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => {
        if (about !== 'revocations') return
        kept.listAgain()
        kept.sift()
      })
      kept.start()
    },
    look: kept.look,
    stop: () => endListening(),
  }
}

async function tellServer(ctx: Context, { server, host }: At): Promise<void> {
  const revocations = await findRevocations(ctx.db, server.id, ctx.clock())
  if (!revocations || revocations.told >= revocations.count) return
  await writeRevocations(host(), folderBelowHome(ctx, server), revocations)
  // Not where more was revoked meanwhile: then the server is told once more.
  await ctx.change(PLATFORM, (tx) => updateToldRevocations(tx, server.id, revocations.count))
}
