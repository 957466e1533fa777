// Sends what is due in a queue: many at once, but few of one organization and fewer to one receiver, so that a slow receiver delays
// only its own.
import type { Context } from '../../context.ts'
import { createLoop, type Loop } from '../../scheduling/loop.ts'

/** Per process. */
const MAX_IN_FLIGHT = 64
const MAX_PER_ORGANIZATION = 6

export type DeliverySender = {
  /** Starts as many due deliveries as the limits allow; resolves when they are in flight. */
  sendDue(signal: AbortSignal): Promise<void>
  /** Resolves when no delivery is in flight. */
  finished(): Promise<void>
}

type Busy = { readonly busyReceivers: readonly number[]; readonly busyOrganizations: readonly number[] }

type DeliveryQueue<Taken> = {
  readonly maxPerReceiver: number
  readonly receiverOf: (taken: Taken) => { readonly id: number; readonly organizationId: number }
  readonly take: (busy: Busy) => Promise<Taken | undefined>
  /** Gives the delivery back where `signal` aborts it. */
  readonly send: (taken: Taken, signal: AbortSignal) => Promise<void>
  readonly onFault: (error: unknown, taken: Taken) => void
}

/** Calls `onRoom` whenever a delivery has ended. */
export function createDeliverySender<Taken>(queue: DeliveryQueue<Taken>, onRoom: () => void): DeliverySender {
  const inFlight = new Map<Taken, Promise<void>>()
  const busy = (): Busy => {
    const receivers = [...inFlight.keys()].map(queue.receiverOf)
    return {
      busyReceivers: repeated(
        receivers.map(({ id }) => id),
        queue.maxPerReceiver,
      ),
      busyOrganizations: repeated(
        receivers.map(({ organizationId }) => organizationId),
        MAX_PER_ORGANIZATION,
      ),
    }
  }
  const begin = (taken: Taken, signal: AbortSignal): void => {
    const sent = queue
      .send(taken, signal)
      .catch((error: unknown) => queue.onFault(error, taken))
      .finally(() => {
        inFlight.delete(taken)
        onRoom()
      })
    inFlight.set(taken, sent)
  }
  return {
    sendDue: async (signal) => {
      while (!signal.aborted && inFlight.size < MAX_IN_FLIGHT) {
        const taken = await queue.take(busy())
        if (!taken) return
        begin(taken, signal)
      }
    },
    finished: async () => {
      while (inFlight.size > 0) await Promise.all(inFlight.values())
    },
  }
}

/** Ids that occur at least `times` times. */
function repeated(ids: readonly number[], times: number): readonly number[] {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].flatMap(([id, count]) => (count >= times ? [id] : []))
}

const EVERY_MS = 2_000

export type DeliveryLoop = Pick<Loop, 'start' | 'wake' | 'stop'>

/** A delivery that ends makes room for the next one, so it wakes the loop. */
export function loopDeliveries(
  ctx: Context,
  name: string,
  create: (onRoom: () => void) => DeliverySender,
): DeliveryLoop {
  const sender = create(() => loop.wake())
  const loop = createLoop({
    everyMs: EVERY_MS,
    work: (signal) => sender.sendDue(signal),
    onError: (error) => ctx.log.error({ err: error }, `${name} failed`),
  })
  return { ...loop, stop: () => loop.stop().then(sender.finished) }
}
