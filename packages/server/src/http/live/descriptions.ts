// The events of a change: the record as it is now, in the shape of the REST answer. Read once for all readers.
import type { LiveEvent, LiveTopic } from '@shipway/api/live'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/people/actor.ts'
import { phasesOf } from '../../domain/tasks/task.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import type { JournalEntry } from '../../store/journal.ts'
import { findProject } from '../../store/projects/projects.ts'
import { findServer } from '../../store/servers/servers.ts'
import { listSteps } from '../../store/tasks/steps.ts'
import { findTask } from '../../store/tasks/tasks.ts'
import { presentEnvironment } from '../present/environment.ts'
import { presentProject } from '../present/project.ts'
import { presentServer } from '../present/server.ts'
import { presentTask } from '../present/task.ts'
import { presentTime } from '../present/time.ts'
import type { Tail } from './tail.ts'

type NameAndData<Event> = Event extends { event: infer Name; data: infer Data } ? { event: Name; data: Data } : never
/** An event without its topic, number and time. */
export type RecordEvent = NameAndData<LiveEvent>

/** Enough for readers that are up to date; for those behind, records are read again. */
const MOST_KEPT = 500

export class Descriptions {
  readonly #ctx: Context
  readonly #tail: Pick<Tail, 'asOfNow'>
  readonly #kept = new Map<string, Promise<readonly Buffer[]>>()

  constructor(ctx: Context, tail: Pick<Tail, 'asOfNow'>) {
    this.#ctx = ctx
    this.#tail = tail
  }

  /**
   * The messages of a change for one topic. They stay valid: if the record has changed since, a later entry announces that. A record that
   * is gone has no messages but its deletion.
   */
  of(
    entry: JournalEntry,
    { name, organizationId }: { name: LiveTopic; organizationId: number },
  ): Promise<readonly Buffer[]> {
    const key = `${name} ${entry.seq} ${entry.how}`
    const known = this.#kept.get(key)
    if (known) return known
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    const viewer: Viewer = { roles: new Map([[organizationId, 'viewer']]) }
    const messages = this.#tail
      .asOfNow(() => describe(this.#ctx, entry, viewer))
      .then((events) => events.map((one) => encode(one, name, entry)))
    this.#kept.set(key, messages)
    messages.catch(() => this.#kept.delete(key))
    return messages
  }
}

type Moment = Pick<JournalEntry, 'seq' | 'at'>

export const eventOf = (event: RecordEvent, topic: LiveTopic, { seq, at }: Moment): LiveEvent => ({
  type: 'event',
  topic,
  seq,
  at: presentTime(at),
  ...event,
})

export const encode = (...words: Parameters<typeof eventOf>): Buffer => Buffer.from(JSON.stringify(eventOf(...words)))

/** For all records but organizations, which each member sees with its own role. */
async function describe(ctx: Context, entry: JournalEntry, viewer: Viewer): Promise<readonly RecordEvent[]> {
  const { about, id, how, parentId } = entry
  switch (about) {
    case 'project': {
      if (how === 'deleted') return [{ event: 'project.deleted', data: { id } }]
      const project = await findProject(ctx.db, viewer, id)
      return project ? [{ event: `project.${how}`, data: presentProject(ctx, project) }] : []
    }
    case 'delivery': {
      const project = await findProject(ctx.db, viewer, parentId ?? 0)
      return project ? [{ event: 'project.updated', data: presentProject(ctx, project) }] : []
    }
    case 'environment': {
      if (how === 'deleted') return [{ event: 'environment.deleted', data: { id, project_id: parentId ?? 0 } }]
      const environment = await findEnvironment(ctx.db, viewer, id)
      return environment ? [{ event: `environment.${how}`, data: presentEnvironment(ctx, environment) }] : []
    }
    case 'server': {
      if (how === 'deleted') return [{ event: 'server.deleted', data: { id } }]
      const server = await findServer(ctx.db, viewer, id)
      return server ? [{ event: `server.${how}`, data: presentServer(ctx, server) }] : []
    }
    case 'task':
      return describeTask(ctx, { id, how: how === 'created' ? how : 'updated' }, viewer)
    case 'step':
      return describeStep(ctx, entry, viewer)
    case 'organization':
    case 'user':
      return []
  }
}

async function describeTask(
  ctx: Context,
  { id, how }: { readonly id: number; readonly how: 'created' | 'updated' },
  viewer: Viewer,
): Promise<readonly RecordEvent[]> {
  const task = await findTask(ctx.db, viewer, id)
  if (!task) return []
  const steps = await listSteps(ctx.db, [id])
  return [{ event: `task.${how}`, data: presentTask(ctx, task, steps.get(id)) }]
}

/** With its phase, whose state follows from its steps; a failed step also changes the task. */
async function describeStep(
  ctx: Context,
  { id, position }: JournalEntry,
  viewer: Viewer,
): Promise<readonly RecordEvent[]> {
  const task = await findTask(ctx.db, viewer, id)
  if (!task) return []
  const steps = (await listSteps(ctx.db, [id])).get(id) ?? []
  const step = steps.find((one) => one.position === position)
  if (!step) return []
  const phases = phasesOf(steps)
  const phaseIndex = phases.findIndex(({ steps: own }) => own.includes(step))
  const index = phases[phaseIndex]?.steps.indexOf(step) ?? -1
  const presented = presentTask(ctx, task, steps)
  const phase = presented.phases[phaseIndex]
  const shown = phase?.steps[index]
  if (!phase || !shown) return []
  return [
    { event: 'step.updated', data: { task_id: id, phase_index: phaseIndex, index, step: shown } },
    { event: 'phase.updated', data: { task_id: id, index: phaseIndex, phase } },
    ...(shown.status === 'failed' ? [{ event: 'task.updated', data: presented } as const] : []),
  ]
}
