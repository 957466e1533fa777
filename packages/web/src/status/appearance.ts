// Icon, label and tone of each status.
import type { Environment, ServiceState, Step, Task } from '@shipway/api'
import { isUnreachable } from '../text/service-state.ts'

export type Shape =
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
export type Appearance = { readonly shape: Shape; readonly label: string; readonly tone: Tone }

/** “Live” rather than “Running”, which is a state of tasks. */
const ENVIRONMENT: Readonly<Record<Environment['status'], Appearance>> = {
  running: { shape: 'disc', label: 'Live', tone: 'good' },
  degraded: { shape: 'half', label: 'Degraded', tone: 'warn' },
  deploying: { shape: 'arc', label: 'Deploying', tone: 'accent' },
  failed: { shape: 'octagon', label: 'Last deployment failed', tone: 'bad' },
  new: { shape: 'ring', label: 'Not deployed yet', tone: 'quiet' },
  awaiting_approval: { shape: 'diamond', label: 'Awaiting approval', tone: 'warn' },
  removing: { shape: 'minus', label: 'Being removed', tone: 'quiet' },
}

const TASK: Readonly<Record<Task['status'], Appearance>> = {
  queued: { shape: 'dotted', label: 'Queued', tone: 'quiet' },
  running: { shape: 'arc', label: 'Running', tone: 'accent' },
  succeeded: { shape: 'ticked', label: 'Succeeded', tone: 'quiet' },
  failed: { shape: 'octagon', label: 'Failed', tone: 'bad' },
  canceled: { shape: 'slashed', label: 'Canceled', tone: 'quiet' },
}

const STEP: Readonly<Record<Step['status'], Appearance>> = {
  pending: { shape: 'dot', label: 'Pending', tone: 'quiet' },
  running: { shape: 'arc', label: 'Running', tone: 'accent' },
  succeeded: { shape: 'tick', label: 'Succeeded', tone: 'quiet' },
  failed: { shape: 'octagon', label: 'Failed', tone: 'bad' },
  skipped: { shape: 'dash', label: 'Skipped', tone: 'quiet' },
  canceled: { shape: 'slashed', label: 'Canceled', tone: 'quiet' },
}

/** Icons only: `describeServiceState` has the words. */
const SERVICE: Readonly<Record<ServiceState, Omit<Appearance, 'label'>>> = {
  running: { shape: 'disc', tone: 'good' },
  healthy: { shape: 'disc', tone: 'good' },
  starting: { shape: 'dotted', tone: 'quiet' },
  unhealthy: { shape: 'half', tone: 'warn' },
  restarting: { shape: 'half', tone: 'warn' },
  exited: { shape: 'ring', tone: 'warn' },
  unknown: { shape: 'dot', tone: 'warn' },
}

export const serviceIcon = ({ state }: { readonly state: ServiceState }) => SERVICE[state]

export const CHANGED: Appearance = { shape: 'triangle', label: 'Variables changed', tone: 'warn' }

const OUT_OF_REACH: Appearance = { shape: 'half', label: 'Server unreachable', tone: 'warn' }

type ShownEnvironment = Pick<Environment, 'status'> & { readonly services?: Environment['services'] }

export const environmentAppearance = ({ status, services = [] }: ShownEnvironment): Appearance =>
  status === 'degraded' && isUnreachable({ services }) ? OUT_OF_REACH : ENVIRONMENT[status]
export const taskAppearance = ({ status }: Pick<Task, 'status'>): Appearance => TASK[status]
const WARNED: Appearance = { shape: 'triangle', label: 'Succeeded, with a warning', tone: 'warn' }

/** Phases have no message. */
export const stepAppearance = ({
  status,
  message = null,
}: Pick<Step, 'status'> & Partial<Pick<Step, 'message'>>): Appearance =>
  status === 'succeeded' && message !== null ? WARNED : STEP[status]
