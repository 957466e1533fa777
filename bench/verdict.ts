// A figure with the bound that it must keep, if there is one.
export type Verdict = {
  readonly what: string
  readonly figure: number
  /** A ratio unless said otherwise. */
  readonly unit?: '×' | 's' | 'MB' | '%'
  readonly atLeast?: number
  readonly atMost?: number
  readonly detail: string
}

export function holds({ figure, atLeast, atMost }: Verdict): boolean {
  return (atLeast === undefined || figure >= atLeast) && (atMost === undefined || figure <= atMost)
}

export function sentence(verdict: Verdict): string {
  const { what, figure, unit = '×', atLeast, atMost, detail } = verdict
  const bound = atLeast !== undefined ? `at least ${atLeast}` : atMost !== undefined ? `at most ${atMost}` : 'no bound'
  return `${holds(verdict) ? 'ok  ' : 'MISS'}  ${figure.toFixed(2)} ${unit}  (${bound})  ${what}: ${detail}`
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Error('There is no figure to take the median of')
  return middle
}
