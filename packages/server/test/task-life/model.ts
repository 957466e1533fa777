// The life of tasks, as few facts as it takes to foresee the answer to each thing that can happen to them.
import type { TaskKind, TaskStatus } from '@shipway/api/tasks'

export type ModelTask = {
  readonly environment: number
  readonly kind: TaskKind
  readonly status: TaskStatus
  readonly epoch: number
  readonly isStarted: boolean
  readonly isCancelRequested: boolean
  /** When the lease ended, in an order of its own; null while it holds or where there is none. */
  readonly leaseEndedAt: number | null
  readonly steps: Readonly<Record<number, 'running' | 'succeeded'>>
}

/** Tasks are known by their place in the list, which is the order of their ids. */
export type Model = {
  readonly tasks: readonly ModelTask[]
  readonly removed: readonly boolean[]
  readonly isDeleting: boolean
  /** The project went, and everything with it. */
  readonly isGone: boolean
  readonly ends: number
}

export type ModelLease = { readonly task: number; readonly epoch: number }

/** What was answered, and how things are afterwards. */
export type Foreseen = { readonly answer: string; readonly next: Model }

export const begin = (environments: number): Model => ({
  tasks: [],
  removed: Array.from({ length: environments }, () => false),
  isDeleting: false,
  isGone: false,
  ends: 0,
})

export const isActive = ({ status }: ModelTask): boolean => status === 'queued' || status === 'running'

export function start(model: Model, environment: number): Foreseen {
  const refusal = refusalOf(model, environment)
  if (refusal) return { answer: refusal, next: model }
  return { answer: 'queued', next: queue(model, environment, 'deploy') }
}

/** A task may wait behind one that runs, as after a push; there is one such place. */
export function push(model: Model, environment: number): Foreseen {
  if (activeOf(model, environment).some(({ status }) => status === 'queued')) return { answer: 'refused', next: model }
  return { answer: 'queued', next: queue(model, environment, 'deploy') }
}

export function deleteEnvironment(model: Model, environment: number): Foreseen {
  const refusal = refusalOf(model, environment)
  if (refusal) return { answer: refusal, next: model }
  return { answer: 'accepted', next: remove(model, environment) }
}

export function deleteProject(model: Model): Foreseen {
  if (model.isGone) return { answer: 'not_found', next: model }
  if (model.isDeleting) return { answer: 'project_deleting', next: model }
  const left = model.removed.flatMap((isRemoved, environment) => (isRemoved ? [] : [environment]))
  const next = left.reduce(
    (before, environment) => (isBeingRemoved(before, environment) ? before : remove(before, environment)),
    { ...model, isDeleting: true },
  )
  return { answer: 'accepted', next: goWhenDrained(next) }
}

export function cancel(model: Model, task: number): Foreseen {
  const known = model.tasks[task]
  if (!known || model.isGone) return { answer: 'not_found', next: model }
  if (!isActive(known)) return { answer: 'too_late', next: model }
  const status = known.status === 'queued' ? ('canceled' as const) : known.status
  return { answer: status, next: change(model, task, { isCancelRequested: true, status }) }
}

/** The tasks that a worker may take now: those whose lease ended first, else the first that waits and that the limit allows. */
export function takeable(model: Model, mostPerServer: number): readonly number[] {
  if (model.isGone) return []
  const ends = model.tasks.map(({ status, leaseEndedAt }) => (status === 'running' ? leaseEndedAt : null))
  const first = Math.min(...ends.filter((end) => end !== null))
  const abandoned = ends.flatMap((end, task) => (end === first ? [task] : []))
  if (abandoned.length > 0) return abandoned
  const running = model.tasks.filter(({ status }) => status === 'running')
  if (running.length >= mostPerServer) return []
  const waiting = model.tasks.flatMap(({ status, environment }, task) =>
    status === 'queued' && !running.some((one) => one.environment === environment) ? [task] : [],
  )
  return waiting.slice(0, 1)
}

export function take(model: Model, task: number): Model {
  const epoch = (model.tasks[task]?.epoch ?? 0) + 1
  return change(model, task, { status: 'running', epoch, isStarted: true, leaseEndedAt: null })
}

/** Only the newest lease of a task that runs is worth anything. */
export function holds(model: Model, { task, epoch }: ModelLease): boolean {
  const known = model.tasks[task]
  return !model.isGone && known?.status === 'running' && known.epoch === epoch
}

export const renew = (model: Model, { task }: ModelLease): Model => change(model, task, { leaseEndedAt: null })

export const release = (model: Model, { task }: ModelLease): Model => change(model, task, { leaseEndedAt: 0 })

export const expire = (model: Model, { task }: ModelLease): Model => ({
  ...change(model, task, { leaseEndedAt: model.ends + 1 }),
  ends: model.ends + 1,
})

export const releaseEvery = (model: Model): Model => ({
  ...model,
  tasks: model.tasks.map((task) => (task.status === 'running' ? { ...task, leaseEndedAt: 0 } : task)),
})

export function setStep(
  model: Model,
  task: number,
  step: { position: number; status: 'running' | 'succeeded' },
): Model {
  return change(model, task, { steps: { ...model.tasks[task]?.steps, [step.position]: step.status } })
}

export function finish(model: Model, task: number, status: 'succeeded' | 'failed' | 'canceled'): Model {
  const { environment, kind } = model.tasks[task] ?? {}
  const next = change(model, task, { status })
  if (kind !== 'remove' || status !== 'succeeded') return next
  return goWhenDrained({ ...next, removed: next.removed.map((isRemoved, one) => isRemoved || one === environment) })
}

/** What start and removal are refused with alike. */
function refusalOf(model: Model, environment: number): string | undefined {
  if (model.isGone || model.removed[environment]) return 'not_found'
  if (isBeingRemoved(model, environment)) return 'environment_removing'
  if (model.isDeleting) return 'project_deleting'
  return activeOf(model, environment).length > 0 ? 'deployment_in_progress' : undefined
}

const activeOf = (model: Model, environment: number): readonly ModelTask[] =>
  model.tasks.filter((task) => task.environment === environment && isActive(task))

export const isBeingRemoved = (model: Model, environment: number): boolean =>
  activeOf(model, environment).some(({ kind }) => kind === 'remove')

/** One that waits gives up its place; an environment that was never on its server is gone at once. */
function remove(model: Model, environment: number): Model {
  const tasks = model.tasks.map((task) =>
    task.environment === environment && task.status === 'queued' ? { ...task, status: 'canceled' as const } : task,
  )
  const queued = queue({ ...model, tasks }, environment, 'remove')
  const isOnServer = tasks.some((task) => task.environment === environment && task.isStarted)
  if (isOnServer) return queued
  const last = queued.tasks.length - 1
  const removed = queued.removed.map((isRemoved, one) => isRemoved || one === environment)
  return { ...change(queued, last, { status: 'succeeded', isStarted: true }), removed }
}

function goWhenDrained(model: Model): Model {
  return { ...model, isGone: model.isGone || (model.isDeleting && model.removed.every(Boolean)) }
}

function queue(model: Model, environment: number, kind: TaskKind): Model {
  const task: ModelTask = {
    environment,
    kind,
    status: 'queued',
    epoch: 0,
    isStarted: false,
    isCancelRequested: false,
    leaseEndedAt: null,
    steps: {},
  }
  return { ...model, tasks: [...model.tasks, task] }
}

function change(model: Model, task: number, changes: Partial<ModelTask>): Model {
  return { ...model, tasks: model.tasks.map((one, place) => (place === task ? { ...one, ...changes } : one)) }
}
