// Exponential back-off: the pause doubles with each failure, up to a maximum.

export type BackOffPolicy = { readonly firstMs: number; readonly mostMs: number }

/** With jitter, so that what failed together is not retried at the same moment. */
export function jitteredBackOff(failures: number, pauses: BackOffPolicy): number {
  return jitter(exponentialBackOff(failures, pauses))
}

/** Without jitter, for rows that a queue takes one after the other anyway. */
export function exponentialBackOff(failures: number, { firstMs, mostMs }: BackOffPolicy): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 20), Math.max(firstMs, mostMs))
}

/** Up to a fifth less, so that jobs that started together drift apart. */
export function jitter(milliseconds: number): number {
  return milliseconds * (1 - Math.random() / 5)
}
