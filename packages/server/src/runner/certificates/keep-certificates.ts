// Keeps certificates: orders those that are missing or soon to end, and brings them to the servers. One process at a time.
import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { endLease, holdLease } from '../../store/leases.ts'
import { listCertificateServers } from '../../store/projects/installed-certificates.ts'
import { type Installed, installOnServer, isInstallationDue, VERIFY_MS } from './install-certificates.ts'
import { type CertificateParts, orderCertificates } from './order-certificates.ts'

const LOOK_MS = 15_000
const RENEW_MS = 10_000
const AUTHORITY_AWAY_MS = 60_000
/** After certificates could not be installed on a server. */
const RETRY_MS = 60_000

export type CertificateKeeper = {
  start(): void
  /** One look at what is due; resolves when it is done. */
  look(): Promise<void>
  stop(): Promise<void>
}

export function keepCertificates(ctx: Context, parts: CertificateParts): CertificateKeeper {
  const lease = { name: 'certificates', holder: randomUUID() } as const
  const stopper = new AbortController()
  const known: Installed = new Map()
  let isHolder = false
  let noOrdersBefore = 0
  let looking: Promise<void> = Promise.resolve()
  let isLookPlanned = false

  const installs = parts.looks.keep({
    trouble: 'certificates could not be installed on a server',
    // Whatever has changed is found by the looks around; these are for what somebody changed on a server.
    ...{ everyMs: VERIFY_MS, retryMs: RETRY_MS, atOnce: 2 },
    ...{ list: async () => (isHolder ? listCertificateServers(ctx.db) : []), listMs: LOOK_MS },
    isDue: ({ id }) => isInstallationDue(ctx, id, known),
    look: async (at) => {
      if (isHolder) await installOnServer(ctx, at, known)
    },
  })

  /** `install` brings what is there to the servers: no order waits for that, and it waits for none. */
  const lookAround = async (install: () => Promise<void>): Promise<void> => {
    isLookPlanned = false
    if (stopper.signal.aborted) return
    const wasHolder = isHolder
    isHolder = await holdLease(ctx.db, lease)
    if (!isHolder) return
    if (!wasHolder) installs.listAgain()
    const lost = new AbortController()
    const renewal = setInterval(() => void renew(lost), RENEW_MS)
    try {
      await install()
      if (ctx.clock() < noOrdersBefore) return
      const isAnswering = await orderCertificates(ctx, parts, AbortSignal.any([lost.signal, stopper.signal]))
      if (!isAnswering) noOrdersBefore = ctx.clock() + AUTHORITY_AWAY_MS
      if (!lost.signal.aborted) await install()
    } finally {
      clearInterval(renewal)
    }
  }
  const renew = async (lost: AbortController): Promise<void> => {
    isHolder = await holdLease(ctx.db, lease).catch(() => false)
    if (!isHolder) lost.abort()
  }

  /** One look at a time; a wake-up during it makes one more. */
  const look = (install: () => Promise<void>): Promise<void> => {
    if (isLookPlanned) return looking
    isLookPlanned = true
    looking = looking
      .then(() => lookAround(install))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'certificates could not be looked after'))
    return looking
  }
  const lookSoon = (): void => void look(async () => installs.sift())

  let timer: NodeJS.Timeout | undefined
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => about === 'routes' && lookSoon())
      timer = setInterval(lookSoon, LOOK_MS)
      installs.start()
      lookSoon()
    },
    look: () => look(installs.look),
    stop: async () => {
      endListening()
      clearInterval(timer)
      stopper.abort()
      await looking
      await endLease(ctx.db, lease)
    },
  }
}
