// Queries for deliveries: few at once, so that other requests keep their connections, and with a deadline, so that a git host
// gets a response before its own timeout.
import type { Context } from '../../context.ts'
import { Unavailable } from '../../domain/errors.ts'
import { withDeadline } from '../../scheduling/deadline.ts'
import { type ConcurrencyLimit, limitConcurrency } from '../../scheduling/limit-concurrency.ts'

const TIMEOUT_MS = 4_000
const WAITING = 500
/** Of the ten connections of a process. Storing has its own limit, so that lookups never delay it. */
const findInTurn = limitConcurrency({ concurrency: 2, maxQueued: WAITING })
const storeInTurn = limitConcurrency({ concurrency: 2, maxQueued: WAITING })

type WithDeadline = <Result>(ctx: Pick<Context, 'log'>, query: () => Promise<Result>) => Promise<Result>

export const findWithDeadline: WithDeadline = (ctx, query) => within(ctx, findInTurn, query)
export const storeWithDeadline: WithDeadline = (ctx, query) => within(ctx, storeInTurn, query)

async function within<Result>(
  { log }: Pick<Context, 'log'>,
  inTurn: ConcurrencyLimit,
  query: () => Promise<Result>,
): Promise<Result> {
  let isGivenUp = false
  const done = inTurn(() => {
    // Its turn came too late: the caller has given up.
    if (isGivenUp) throw TooBusy()
    return query()
  })
  try {
    return await withDeadline(done, TIMEOUT_MS, () => {
      isGivenUp = true
      throw TooBusy()
    })
  } catch (error) {
    if (isGivenUp) done.catch((late: unknown) => log.debug({ err: late }, 'a query finished after its deadline'))
    throw error
  }
}

const TooBusy = () => Unavailable('Too many deliveries arrive at once. Send this one again in a few seconds', 10)
