// What to try when a step failed: the causes that its end and its output speak for.
import { safeText } from '@shipway/rules/safe-text'
import { containerCauses } from './container-causes.ts'
import { endCauses } from './end-causes.ts'
import type { Cause, Failure } from './failure.ts'
import { imageCauses } from './image-causes.ts'
import { readinessCauses } from './readiness-causes.ts'
import { sourceCauses } from './source-causes.ts'
import { swarmCauses } from './swarm-causes.ts'
import { variableCauses } from './variable-causes.ts'

/** Certain causes come first; the general meaning of an exit code is the last resort. */
const CAUSES: readonly Cause[] = [
  ...readinessCauses,
  ...swarmCauses,
  ...sourceCauses,
  ...variableCauses,
  ...imageCauses,
  ...containerCauses,
]

const MOST_HINTS = 3

export function hintsFor(failure: Failure): readonly string[] {
  // Ended from outside: what it printed until then is no reason.
  if (failure.kind === 'timeout' || failure.kind === 'server') return collectHints(failure, endCauses)
  const known = collectHints(failure, CAUSES)
  return known.length > 0 ? known : collectHints(failure, endCauses)
}

function collectHints(failure: Failure, causes: readonly Cause[]): readonly string[] {
  const hints = causes.flatMap((cause) => cause(failure) ?? []).map(safeText)
  return [...new Set(hints)].slice(0, MOST_HINTS)
}
