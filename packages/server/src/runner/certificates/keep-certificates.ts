// Keeps certificates: orders those that are missing or soon to end, and brings them to the servers. One process at a time.
import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { endLease, holdLease } from '../../store/leases.ts'
import { installOnServers, type Looks } from './install-certificates.ts'
import { type CertificateParts, orderCertificates } from './order-certificates.ts'

const LOOK_MS = 15_000
const RENEW_MS = 10_000
const AUTHORITY_AWAY_MS = 60_000

export type CertificateKeeper = {
  start(): void
  /** One look at what is due; resolves when it is done. */
  look(): Promise<void>
  stop(): Promise<void>
}

export function keepCertificates(ctx: Context, parts: CertificateParts): CertificateKeeper {
  const lease = { name: 'certificates', holder: randomUUID() } as const
  const stopper = new AbortController()
  const looks: Looks = new Map()
  let noOrdersBefore = 0
  let looking: Promise<void> = Promise.resolve()
  let isLookPlanned = false

  const lookAround = async (): Promise<void> => {
    isLookPlanned = false
    if (stopper.signal.aborted || !(await holdLease(ctx.db, lease))) return
    const lost = new AbortController()
    const renewal = setInterval(() => void renew(lost), RENEW_MS)
    try {
      // What is there goes out before anything is waited for.
      await installOnServers(ctx, parts.hosts, looks)
      if (ctx.clock() < noOrdersBefore) return
      const isAnswering = await orderCertificates(ctx, parts, AbortSignal.any([lost.signal, stopper.signal]))
      if (!isAnswering) noOrdersBefore = ctx.clock() + AUTHORITY_AWAY_MS
      if (!lost.signal.aborted) await installOnServers(ctx, parts.hosts, looks)
    } finally {
      clearInterval(renewal)
    }
  }
  const renew = async (lost: AbortController): Promise<void> => {
    const isHeld = await holdLease(ctx.db, lease).catch(() => false)
    if (!isHeld) lost.abort()
  }

  /** One look at a time; a wake-up during it makes one more. */
  const look = (): Promise<void> => {
    if (isLookPlanned) return looking
    isLookPlanned = true
    looking = looking
      .then(lookAround)
      .catch((error: unknown) => ctx.log.error({ err: error }, 'certificates could not be looked after'))
    return looking
  }

  let timer: NodeJS.Timeout | undefined
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen(({ about }) => about === 'routes' && void look())
      timer = setInterval(() => void look(), LOOK_MS)
      void look()
    },
    look,
    stop: async () => {
      endListening()
      clearInterval(timer)
      stopper.abort()
      await looking
      await endLease(ctx.db, lease)
    },
  }
}
