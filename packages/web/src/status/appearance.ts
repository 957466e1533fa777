// What a status looks like: a silhouette of its own, a word, and then a colour.
import type { Environment, ServiceState, Step, Task } from '@shipway/api'
import { isUnknown } from '../text/service-state.ts'

export type Silhouette =
  | 'disc'
  | 'half'
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
  degraded: { silhouette: 'half', word: 'Degraded', tone: 'warn' },
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

const SERVICE: Readonly<Record<ServiceState, Shown>> = {
  running: { silhouette: 'disc', word: 'Running', tone: 'good' },
  healthy: { silhouette: 'disc', word: 'Healthy', tone: 'good' },
  starting: { silhouette: 'dotted', word: 'Starting', tone: 'quiet' },
  unhealthy: { silhouette: 'half', word: 'Unhealthy', tone: 'warn' },
  restarting: { silhouette: 'half', word: 'Restarting', tone: 'warn' },
  exited: { silhouette: 'ring', word: 'Not running', tone: 'warn' },
  unknown: { silhouette: 'dot', word: 'Unknown', tone: 'warn' },
}

export const serviceShown = ({ state }: { readonly state: ServiceState }): Shown => SERVICE[state]

export const CHANGED: Shown = { silhouette: 'triangle', word: 'Variables changed', tone: 'warn' }

const OUT_OF_REACH: Shown = { silhouette: 'half', word: 'Server out of reach', tone: 'warn' }

type ShownEnvironment = Pick<Environment, 'status'> & { readonly services?: Environment['services'] }

export const environmentShown = ({ status, services = [] }: ShownEnvironment): Shown =>
  status === 'degraded' && isUnknown({ services }) ? OUT_OF_REACH : ENVIRONMENT[status]
export const taskShown = ({ status }: Pick<Task, 'status'>): Shown => TASK[status]
const WARNED: Shown = { silhouette: 'triangle', word: 'Succeeded, with a warning', tone: 'warn' }

/** Phases have no message. */
export const stepShown = ({ status, message = null }: Pick<Step, 'status'> & Partial<Pick<Step, 'message'>>): Shown =>
  status === 'succeeded' && message !== null ? WARNED : STEP[status]
