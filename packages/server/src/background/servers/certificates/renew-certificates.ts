// Orders certificates that are missing or about to expire, and installs them on servers. One process at a time does this.
import { randomUUID } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { endLease, holdLease } from '../../../store/leases.ts'
import { listCertificateServers } from '../../../store/projects/installed-certificates.ts'
import { installOnServer, isInstallationDue, type KnownInstallations, VERIFY_MS } from './install-certificates.ts'
import { type CertificateDependencies, orderCertificates } from './order-certificates.ts'

const CHECK_MS = 15_000
const RENEW_MS = 10_000
const AUTHORITY_AWAY_MS = 60_000
const RETRY_MS = 60_000

export type CertificateRenewal = {
  start(): void
  /** Orders and installation what is due; resolves when that is done. */
  runOnce(): Promise<void>
  stop(): Promise<void>
}

export function renewCertificates(ctx: Context, dependencies: CertificateDependencies): CertificateRenewal {
  const lease = { name: 'certificates', holder: randomUUID() } as const
  const known: KnownInstallations = new Map()
  let isHolder = false
  let noOrdersBefore = 0
  /** Whether a caller of `runOnce` waits until the servers have their certificates. */
  let isInstallAwaited = false

  const installation = dependencies.serverJobs.define({
    failureMessage: 'certificates could not be installed on a server',
    // Changes of the records are found by `checkDue`; this interval finds changes that were made on a server.
    everyMs: VERIFY_MS,
    retryMs: RETRY_MS,
    concurrency: 2,
    list: async () => (isHolder ? listCertificateServers(ctx.db) : []),
    listEveryMs: CHECK_MS,
    isDue: (server) => isInstallationDue(ctx, server, known),
    run: async (run) => {
      if (isHolder) await installOnServer(ctx, run, { hosts: dependencies.hosts, known })
    },
  })

  const orderAndInstall = async (signal: AbortSignal): Promise<void> => {
    // Orders do not wait for installations, nor installations for orders.
    const install = isInstallAwaited ? installation.runOnce : async () => installation.checkDue()
    isInstallAwaited = false
    const wasHolder = isHolder
    isHolder = await holdLease(ctx.db, lease)
    if (!isHolder) return
    if (!wasHolder) installation.relist()
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
      const outcome = await orderCertificates(ctx, dependencies, AbortSignal.any([lost.signal, signal]))
      if (outcome === 'authority away') noOrdersBefore = ctx.clock() + AUTHORITY_AWAY_MS
      if (outcome === 'more') loop.wake()
      if (!lost.signal.aborted) await install()
    } finally {
      await renewing.stop()
    }
  }
  const renew = async (lost: AbortController): Promise<void> => {
    isHolder = await holdLease(ctx.db, lease).catch(() => false)
    if (!isHolder) lost.abort()
  }

  const noteError = (error: unknown): void => ctx.log.error({ err: error }, 'renewing certificates failed')
  const loop = createLoop({ everyMs: CHECK_MS, work: orderAndInstall, onError: noteError })

  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => about === 'routes' && loop.wake())
      installation.start()
      loop.start()
    },
    runOnce: () => {
      isInstallAwaited = true
      return loop.run()
    },
    stop: async () => {
      endListening()
      await loop.stop()
      await endLease(ctx.db, lease)
    },
  }
}
