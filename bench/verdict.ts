// A figure with the bound that it must keep.
export type Verdict = {
  readonly what: string
  readonly figure: number
  readonly atLeast?: number
  readonly atMost?: number
  readonly detail: string
}

export function holds({ figure, atLeast, atMost }: Verdict): boolean {
  return (atLeast === undefined || figure >= atLeast) && (atMost === undefined || figure <= atMost)
}

export function sentence(verdict: Verdict): string {
  const bound = verdict.atLeast === undefined ? `at most ${verdict.atMost}` : `at least ${verdict.atLeast}`
  return `${holds(verdict) ? 'ok  ' : 'MISS'}  ${verdict.figure.toFixed(2)} ×  (${bound})  ${verdict.what}: ${verdict.detail}`
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Error('There is no figure to take the median of')
  return middle
}
