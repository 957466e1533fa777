// How long something that failed is left alone: twice as long each time, up to a most.

export type BackOffPolicy = { readonly firstMs: number; readonly mostMs: number }

/** Spread, so that what failed together is not tried again at the same moment. */
export function jitteredBackOff(failures: number, pauses: BackOffPolicy): number {
  return jitter(exponentialBackOff(failures, pauses))
}

/** The same for all. For what the records hold one by one, and whoever looks for it takes one after the other. */
export function exponentialBackOff(failures: number, { firstMs, mostMs }: BackOffPolicy): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 20), Math.max(firstMs, mostMs))
}

/** Up to a fifth less: what began together, at a start, drifts apart. */
export function jitter(milliseconds: number): number {
  return milliseconds * (1 - Math.random() / 5)
}
