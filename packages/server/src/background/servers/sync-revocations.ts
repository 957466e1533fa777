// Sends revoked ssh certificates to every server that would still accept them, and to each manager of a Swarm. Retries until all have the list
// or the certificates have expired.
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { folderBelowHome } from '../../domain/server-folder.ts'
import { StepFault } from '../../domain/tasks/step-fault.ts'
import { writeRevocations } from '../../remote/access/write-revocations.ts'
import { withSignal } from '../../remote/host.ts'
import type { Hosts } from '../../remote/hosts.ts'
import { withinDeadline } from '../../remote/within-deadline.ts'
import {
  findRevocations,
  listManagersToSync,
  listServersToSync,
  type Revocations,
  updateSyncedManager,
  updateSyncedRevocations,
} from '../../store/access/revocations.ts'
import { atManager, isSameAddress, type ServerManager } from '../../store/servers/managers.ts'
import { isUnreachable, type JobRun } from './jobs/server-job.ts'
import type { ServerJobs } from './jobs/server-jobs.ts'

const SYNC_MS = 15_000

export type RevocationSync = {
  start(): void
  /** Resolves when every server is up to date or was unreachable. */
  runOnce(): Promise<void>
  stop(): void
}

export function syncRevocations(ctx: Context, serverJobs: ServerJobs, hosts: Pick<Hosts, 'ofManager'>): RevocationSync {
  const syncing = { hosts, lost: new Set<string>() }
  const job = serverJobs.define({
    failureMessage: 'revoked certificates could not be sent to a server',
    recoveryMessage: 'revoked certificates can be sent to a server again',
    everyMs: SYNC_MS,
    retryMs: SYNC_MS,
    concurrency: 3,
    listEveryMs: SYNC_MS,
    list: () => listServersToSync(ctx.db, ctx.clock()),
    run: (run) => updateServer(ctx, syncing, run),
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

type Syncing = { readonly hosts: Pick<Hosts, 'ofManager'>; readonly lost: Set<string> }

async function updateServer(ctx: Context, syncing: Syncing, { server, host }: JobRun): Promise<void> {
  const revocations = await findRevocations(ctx.db, server.id, ctx.clock())
  if (!revocations) return
  const { count, installed } = revocations
  const behind = await listManagersToSync(ctx.db, server.id, count)
  const others = behind.filter((manager) => manager.hasSignedIn && !isSameAddress(manager, server))
  await Promise.all(others.map((manager) => updateManager(ctx, syncing, { server, manager, revocations })))
  if (installed >= count && !behind.some((manager) => isSameAddress(manager, server))) return
  await writeRevocations(host(), folderBelowHome(ctx, server), revocations)
  // The count that was sent: if more was revoked meanwhile, the server stays behind and is updated again.
  await ctx.change(PLATFORM, async (tx) => {
    await updateSyncedRevocations(tx, server.id, count)
    await updateSyncedManager(tx, { serverId: server.id, ...server }, count)
  })
}

type ManagerUpdate = {
  readonly server: ServerAddress
  readonly manager: ServerManager
  readonly revocations: Revocations
}

/** Another manager of a Swarm than the one in use. One that is lost keeps no other from the list: it is tried again with the next pass. */
async function updateManager(
  ctx: Context,
  { hosts, lost }: Syncing,
  { server, manager, revocations }: ManagerUpdate,
): Promise<void> {
  const host = hosts.ofManager(atManager(server, manager))
  const key = `${server.id} ${manager.hostname} ${manager.port}`
  try {
    await withinDeadline(host, MANAGER_MS, (signal) =>
      writeRevocations(withSignal(host, signal), folderBelowHome(ctx, server), revocations),
    )
    await ctx.change(PLATFORM, (tx) => updateSyncedManager(tx, { serverId: server.id, ...manager }, revocations.count))
    lost.delete(key)
  } catch (error) {
    if (!isUnreachable(error) && !(error instanceof AppError) && !(error instanceof StepFault)) throw error
    if (!lost.has(key))
      ctx.log.warn(
        { err: error, server: server.id, manager: manager.hostname },
        'revoked certificates could not be sent to a manager',
      )
    lost.add(key)
  }
}

const MANAGER_MS = 10_000
