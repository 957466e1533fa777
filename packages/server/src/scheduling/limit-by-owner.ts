// Limits how much work of one owner runs at once: what one of them waits for takes nothing from the others.
import { type ConcurrencyLimit, limitConcurrency } from './limit-concurrency.ts'

type OwnerLimit = <Result>(owner: number | string, work: () => Promise<Result>) => Promise<Result>

/** Rejects with `Busy` where the queue of the owner is full. */
export function limitByOwner(options: { concurrency: number; maxQueued: number }): OwnerLimit {
  const owners = new Map<number | string, { readonly limit: ConcurrencyLimit; users: number }>()
  return async (owner, work) => {
    const own = owners.get(owner) ?? { limit: limitConcurrency(options), users: 0 }
    owners.set(owner, own)
    own.users += 1
    try {
      return await own.limit(work)
    } finally {
      own.users -= 1
      if (own.users === 0) owners.delete(owner)
    }
  }
}
