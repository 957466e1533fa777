// What an environment is doing, in two words.
import type { Environment, Task } from '@shipway/api'
import { plainText } from '../terminal/neutralize.ts'
import { ago, duration } from '../terminal/times.ts'

/** `task` is the one that runs for it, where one does. */
export function stateOf({ status, live, protected: isProtected }: Environment, task: Task | undefined): string {
  const phase = task?.phases.findLast((each) => each.status === 'running')?.name
  const words = [STATES[status], ...(phase ? [plainText(phase)] : [])]
  if (status === 'failed' && live) words.push('still live')
  if (isProtected) words.push('protected')
  return words.join(' · ')
}

export function sinceOf({ live }: Environment, task: Task | undefined): string {
  if (task?.duration_ms) return duration(task.duration_ms)
  return live ? ago(live.since) : ''
}

const STATES: Readonly<Record<Environment['status'], string>> = {
  new: 'not deployed yet',
  deploying: 'deploying',
  running: 'live',
  failed: 'failed',
  removing: 'removing',
  awaiting_approval: 'awaits approval',
}
