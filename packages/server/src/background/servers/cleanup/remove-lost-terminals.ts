// Ends commands whose terminal was carried by a platform process that is gone, such as one that was killed: their users are gone, too.
//
// A process that carries terminals renews a lease, and its containers have a label with its id. Whichever process sees that the lease has ended
// removes them.
import type { Context } from '../../../context.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import { createLoop, type Loop } from '../../../scheduling/loop.ts'
import { endLease, listLostTerminals, terminalsLease } from '../../../store/leases.ts'
import { listServersToCleanUp } from '../../../store/tasks/orphans.ts'

const EVERY_MS = 15_000

export function removeLostTerminals(ctx: Context, hosts: Pick<Hosts, 'of'>): Loop {
  return createLoop({
    everyMs: EVERY_MS,
    work: () => removeTerminalsOf(ctx, hosts),
    onError: (error) => ctx.log.error({ err: error }, 'commands of a stopped platform process could not be ended'),
  })
}

/** The lease stays until all of them are removed. */
async function removeTerminalsOf(ctx: Pick<Context, 'db' | 'installationId'>, hosts: Pick<Hosts, 'of'>): Promise<void> {
  const { db, installationId } = ctx
  const processIds = await listLostTerminals(db)
  if (processIds.length === 0) return
  const servers = await listServersToCleanUp(db)
  for (const processId of processIds) {
    for (const server of servers.filter(({ connection }) => connection === 'local'))
      await runtimeOf(server).removeLostOneOffs(hosts.of(server), { installationId, processId })
    await endLease(db, terminalsLease(processId))
  }
}
