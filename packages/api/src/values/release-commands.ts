// What to say where a deployment failed after its release or seed commands had begun, and the version before still serves.
import type { Task } from '../tasks.ts'

type Failed = Pick<Task, 'failed_step'> & {
  readonly phases: readonly { readonly name: string; readonly steps: readonly { readonly status: string }[] }[]
}

/** Undefined if no such command has begun. `what`: the version before, as this caller names it. */
export function describeAfterRelease({ failed_step, phases }: Failed, what: string): string | undefined {
  const begun = phases.some(
    ({ name, steps }) => name === RELEASE && steps.some(({ status }) => !BEFORE.includes(status)),
  )
  if (!begun) return undefined
  const serving = `Visitors still get ${what} (checked just now).`
  // The message of a command that failed says so itself.
  return failed_step?.phase === RELEASE ? serving : `${serving} ${CHANGES_STAY}`
}

const RELEASE = 'Release'
const BEFORE = ['pending', 'skipped']
const CHANGES_STAY = 'What the release commands changed, for example in a database, stays changed.'
