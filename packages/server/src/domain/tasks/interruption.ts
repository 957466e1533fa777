// How a task ends that the platform cannot resume, because it was updated while the task ran.
import type { TaskKind } from '@shipway/api/tasks'
import { TASK_KINDS } from './task.ts'

export type Interruption = { readonly status: 'succeeded' | 'failed'; readonly sentence: string }

type InterruptedTask = {
  readonly kind: TaskKind
  /** Routes lead to what it deployed. */
  readonly isSwitched: boolean
  /** It removed the routes. */
  readonly isUnrouted: boolean
  /** The reason, if it is not an update. */
  readonly because?: string | undefined
}

/** A deployment that has switched succeeded, since its commit serves, whatever steps were left. */
export function interruptionOf({ kind, isSwitched, isUnrouted, because = UPDATED }: InterruptedTask): Interruption {
  if (isSwitched && TASK_KINDS[kind].isDeployment) {
    const rest = 'The new version serves already, and the platform removes later what it replaced'
    return { status: 'succeeded', sentence: `${because}\n${rest}` }
  }
  const advice = `${stateAfter(kind, isUnrouted)}${TASK_KINDS[kind].retryAdvice}`
  return { status: 'failed', sentence: `${because}\n${advice}` }
}

const UPDATED =
  'The platform was updated while this ran, and the new version does it in other steps, so it cannot go on in the middle'

function stateAfter(kind: TaskKind, isUnrouted: boolean): string {
  const { isDeployment, clearsEnvironment, removesEnvironment } = TASK_KINDS[kind]
  if (isUnrouted && removesEnvironment) {
    return 'Its routes were removed already; the rest of it is still on the server. '
  }
  if (isUnrouted && clearsEnvironment) return 'Its routes were removed already, so nothing serves now. '
  if (removesEnvironment) return 'The environment is still there. '
  return isDeployment ? 'Domains still lead to what was live before. ' : ''
}
