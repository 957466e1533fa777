// How a task ends whose program is not the one that began it: the platform was updated in between.
import type { TaskKind } from '@shipway/api/tasks'

export type Interruption = { readonly status: 'succeeded' | 'failed'; readonly sentence: string }

type Came = {
  readonly kind: TaskKind
  /** Visitors are led to what it deployed. */
  readonly isSwitched: boolean
  /** It took the routes away. */
  readonly isUnrouted: boolean
  /** What stands in the way, where that is something else than the update. */
  readonly because?: string | undefined
}

/** What it says is what serves: a deployment that has switched has put its commit into service, whatever was to come after that. */
export function interruptionOf({ kind, isSwitched, isUnrouted, because = UPDATED }: Came): Interruption {
  if (isSwitched && kind !== 'remove') {
    const rest = 'The new version serves already, and the platform removes later what it replaced'
    return { status: 'succeeded', sentence: `${because}\n${rest}` }
  }
  return { status: 'failed', sentence: `${because}\n${isUnrouted ? UNROUTED[kind] : UNTOUCHED[kind]}` }
}

const UPDATED =
  'The platform was updated while this ran, and the new version does it in other steps, so it cannot go on in the middle'

const UNTOUCHED: Readonly<Record<TaskKind, string>> = {
  deploy: 'Domains still lead to what was live before. Deploy again',
  reset: 'Domains still lead to what was live before. Reset it again',
  remove: 'The environment is still there. Remove it again',
  action: 'Start it again',
}

const UNROUTED: Readonly<Record<TaskKind, string>> = {
  ...UNTOUCHED,
  reset: 'Its routes were removed already, so nothing serves now. Reset it again',
  remove: 'Its routes were removed already; the rest of it is still on the server. Remove it again',
}
