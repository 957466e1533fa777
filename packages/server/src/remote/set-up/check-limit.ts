// Limits how many checks of servers or repositories run at once: a machine that does not answer holds a process and a connection.
import { TooManyChecks } from '../../domain/errors.ts'

const MOST_AT_ONCE = 8
const MOST_OF_ORGANIZATION = 2

export type CheckLimit = <T>(organizationId: number, check: () => Promise<T>) => Promise<T>

/** Refuses a check beyond the limit instead of queueing it, because a user waits for the answer. */
export function createCheckLimit(what: 'servers' | 'repositories' | 'service files'): CheckLimit {
  const running = new Map<number, number>()
  let all = 0
  const count = (organizationId: number, by: 1 | -1): void => {
    const own = (running.get(organizationId) ?? 0) + by
    if (own > 0) running.set(organizationId, own)
    else running.delete(organizationId)
    all += by
  }
  return async (organizationId, check) => {
    if ((running.get(organizationId) ?? 0) >= MOST_OF_ORGANIZATION) throw TooManyChecks(what, 'of this organization')
    if (all >= MOST_AT_ONCE) throw TooManyChecks(what, 'here')
    count(organizationId, 1)
    try {
      return await check()
    } finally {
      count(organizationId, -1)
    }
  }
}
