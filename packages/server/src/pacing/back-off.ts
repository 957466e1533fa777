// How long something that failed is left alone: twice as long each time, up to a most, and never for all at the same moment.

export type Pauses = { readonly firstMs: number; readonly mostMs: number }

export function pauseAfter(failures: number, { firstMs, mostMs }: Pauses): number {
  return spread(Math.min(firstMs * 2 ** Math.min(failures - 1, 20), Math.max(firstMs, mostMs)))
}

/** Up to a fifth less: what began together, at a start, drifts apart. */
export function spread(milliseconds: number): number {
  return milliseconds * (1 - Math.random() / 5)
}
