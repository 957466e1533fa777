// What many rounds came to.
import type { RoundResult } from './round.ts'

export type Figures = {
  readonly rounds: number
  readonly runs: number
  readonly strikes: number
  readonly faults: number
  readonly points: number
  readonly recoveryP50Ms: number
  readonly recoveryP99Ms: number
  readonly violations: readonly string[]
}

export function sumUp(results: readonly RoundResult[]): Figures {
  const struck = results.flatMap((result) => result.struck)
  const recoveryMs = results.flatMap((result) => result.recoveryMs).sort((a, b) => a - b)
  const share = (part: number): number => recoveryMs[Math.ceil(recoveryMs.length * part) - 1] ?? 0
  return {
    rounds: results.length,
    runs: results.reduce((sum, { runs }) => sum + runs, 0),
    strikes: struck.length,
    faults: new Set(struck.map(({ fault }) => fault)).size,
    points: new Set(struck.map(({ fault, step, state }) => `${fault} at ${step} ${state}`)).size,
    recoveryP50Ms: share(0.5),
    recoveryP99Ms: share(0.99),
    violations: results.flatMap((result) => result.violations),
  }
}
