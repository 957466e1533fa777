// What a status looks like: a silhouette of its own, a word, and then a colour.
import type { Environment, Step, Task } from '@shipway/api'

export type Silhouette =
  | 'disc'
  | 'arc'
  | 'dotted'
  | 'ticked'
  | 'tick'
  | 'octagon'
  | 'slashed'
  | 'ring'
  | 'diamond'
  | 'minus'
  | 'triangle'
  | 'dash'
  | 'dot'
type Tone = 'good' | 'bad' | 'warn' | 'accent' | 'quiet'
export type Shown = { readonly silhouette: Silhouette; readonly word: string; readonly tone: Tone }

/** “Live”, so that a running environment and a running deployment never share a word. */
const ENVIRONMENT: Readonly<Record<Environment['status'], Shown>> = {
  running: { silhouette: 'disc', word: 'Live', tone: 'good' },
  deploying: { silhouette: 'arc', word: 'Deploying', tone: 'accent' },
  failed: { silhouette: 'octagon', word: 'Last deployment failed', tone: 'bad' },
  new: { silhouette: 'ring', word: 'Not deployed yet', tone: 'quiet' },
  awaiting_approval: { silhouette: 'diamond', word: 'Awaiting approval', tone: 'warn' },
  removing: { silhouette: 'minus', word: 'Being removed', tone: 'quiet' },
}

const TASK: Readonly<Record<Task['status'], Shown>> = {
  queued: { silhouette: 'dotted', word: 'Queued', tone: 'quiet' },
  running: { silhouette: 'arc', word: 'Running', tone: 'accent' },
  succeeded: { silhouette: 'ticked', word: 'Succeeded', tone: 'quiet' },
  failed: { silhouette: 'octagon', word: 'Failed', tone: 'bad' },
  canceled: { silhouette: 'slashed', word: 'Canceled', tone: 'quiet' },
}

const STEP: Readonly<Record<Step['status'], Shown>> = {
  pending: { silhouette: 'dot', word: 'Waits', tone: 'quiet' },
  running: { silhouette: 'arc', word: 'Running', tone: 'accent' },
  succeeded: { silhouette: 'tick', word: 'Succeeded', tone: 'quiet' },
  failed: { silhouette: 'octagon', word: 'Failed', tone: 'bad' },
  skipped: { silhouette: 'dash', word: 'Skipped', tone: 'quiet' },
  canceled: { silhouette: 'slashed', word: 'Canceled', tone: 'quiet' },
}

export const CHANGED: Shown = { silhouette: 'triangle', word: 'Variables changed', tone: 'warn' }

export const environmentShown = ({ status }: Pick<Environment, 'status'>): Shown => ENVIRONMENT[status]
export const taskShown = ({ status }: Pick<Task, 'status'>): Shown => TASK[status]
export const stepShown = ({ status }: Pick<Step, 'status'>): Shown => STEP[status]
