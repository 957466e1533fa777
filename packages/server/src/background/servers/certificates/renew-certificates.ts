// Keeps certificates: orders those that are missing or soon to end, and brings them to the servers. One process at a time.
import { randomUUID } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { endLease, holdLease } from '../../../store/leases.ts'
import { listCertificateServers } from '../../../store/projects/installed-certificates.ts'
import { type KnownInstallations, installOnServer, isInstallationDue, VERIFY_MS } from './install-certificates.ts'
import { type CertificateDependencies, orderCertificates } from './order-certificates.ts'

const LOOK_MS = 15_000
const RENEW_MS = 10_000
const AUTHORITY_AWAY_MS = 60_000
/** After certificates could not be installed on a server. */
const RETRY_MS = 60_000

export type CertificateRenewal = {
  start(): void
  /** One look at what is due; resolves when it is done. */
  runOnce(): Promise<void>
  stop(): Promise<void>
}

export function renewCertificates(ctx: Context, parts: CertificateDependencies): CertificateRenewal {
  const lease = { name: 'certificates', holder: randomUUID() } as const
  const known: KnownInstallations = new Map()
  let isHolder = false
  let noOrdersBefore = 0
  /** Whether somebody waits until the servers have what is there. */
  let isInstallAwaited = false

  const installs = parts.serverJobs.define({
    failureMessage: 'certificates could not be installed on a server',
    // Whatever has changed is found by the serverJobs around; these are for what somebody changed on a server.
    everyMs: VERIFY_MS,
    retryMs: RETRY_MS,
    concurrency: 2,
    list: async () => (isHolder ? listCertificateServers(ctx.db) : []),
    listEveryMs: LOOK_MS,
    isDue: ({ id }) => isInstallationDue(ctx, id, known),
    run: async (at) => {
      if (isHolder) await installOnServer(ctx, at, known)
    },
  })

  const lookAround = async (signal: AbortSignal): Promise<void> => {
    // Brings what is there to the servers: no order waits for that, and it waits for none.
    const install = isInstallAwaited ? installs.runOnce : async () => installs.checkDue()
    isInstallAwaited = false
    const wasHolder = isHolder
    isHolder = await holdLease(ctx.db, lease)
    if (!isHolder) return
    if (!wasHolder) installs.relist()
    const lost = new AbortController()
    const renewing = createLoop({
      everyMs: RENEW_MS,
      startsWithPause: true,
      work: () => renew(lost),
      onError: noteError,
    })
    renewing.start()
    try {
      await install()
      if (ctx.clock() < noOrdersBefore) return
      const outcome = await orderCertificates(ctx, parts, AbortSignal.any([lost.signal, signal]))
      if (outcome === 'authority away') noOrdersBefore = ctx.clock() + AUTHORITY_AWAY_MS
      if (outcome === 'more') looking.wake()
      if (!lost.signal.aborted) await install()
    } finally {
      await renewing.stop()
    }
  }
  const renew = async (lost: AbortController): Promise<void> => {
    isHolder = await holdLease(ctx.db, lease).catch(() => false)
    if (!isHolder) lost.abort()
  }

  const noteError = (error: unknown): void => ctx.log.error({ err: error }, 'certificates could not be looked after')
  const looking = createLoop({ everyMs: LOOK_MS, work: lookAround, onError: noteError })

  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => about === 'routes' && looking.wake())
      installs.start()
      looking.start()
    },
    runOnce: () => {
      isInstallAwaited = true
      return looking.run()
    },
    stop: async () => {
      endListening()
      await looking.stop()
      await endLease(ctx.db, lease)
    },
  }
}
