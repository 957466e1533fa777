// What a reader believes: the records and logs that it was told of, put together from messages alone.
import type { Client, Environment, LiveEvent, LiveUpdate, Organization, Project, Server, Task } from '@shipway/api'

type Subscribed = Extract<LiveUpdate, { type: 'subscribed' }>

export class Model {
  readonly organizations = new Map<number, Organization>()
  readonly projects = new Map<number, Project>()
  readonly environments = new Map<number, Environment>()
  readonly servers = new Map<number, Server>()
  readonly tasks = new Map<number, Task>()
  readonly logs = new Map<number, string>()
  /** How often something had to be fetched, and how often it was gone on with. */
  readonly counts = { fetched: 0, recovered: 0, events: 0, offline: 0 }

  async take(client: Client, update: LiveUpdate): Promise<void> {
    if (update.type === 'subscribed') await this.#begin(client, update)
    if (update.type === 'event') this.#apply(update)
    if (update.type === 'connection' && update.state === 'offline') this.counts.offline += 1
  }

  /** A client that missed events asks for everything. */
  async #begin(client: Client, { topic, recovered, snapshot }: Subscribed): Promise<void> {
    if (recovered) {
      this.counts.recovered += 1
      return
    }
    this.counts.fetched += 1
    const [kind, id, log] = topic.split(':')
    const params = { id: Number(id) }
    if (log) this.logs.set(params.id, '')
    if (kind === 'project') {
      replaceOf(
        this.environments,
        await client.listEnvironments({ params, query: { limit: 200 } }),
        (one) => one.project_id === params.id,
      )
    }
    if (kind === 'organization') {
      replaceOf(this.projects, await client.listProjects({ query: { limit: 200 } }), () => true)
      replaceOf(this.servers, await client.listServers({ query: { limit: 200 } }), () => true)
    }
    if (snapshot) this.#apply(snapshot)
  }

  #apply(message: LiveEvent): void {
    this.counts.events += 1
    switch (message.event) {
      case 'organization.updated':
        this.organizations.set(message.data.id, message.data)
        break
      case 'organization.deleted':
        this.organizations.delete(message.data.id)
        break
      case 'project.created':
      case 'project.updated':
        this.projects.set(message.data.id, message.data)
        break
      case 'project.deleted':
        this.projects.delete(message.data.id)
        break
      case 'environment.created':
      case 'environment.updated':
        this.environments.set(message.data.id, message.data)
        break
      case 'environment.deleted':
        this.environments.delete(message.data.id)
        break
      case 'server.created':
      case 'server.updated':
        this.servers.set(message.data.id, message.data)
        break
      case 'server.deleted':
        this.servers.delete(message.data.id)
        break
      case 'task.created':
      case 'task.updated':
        this.tasks.set(message.data.id, message.data)
        break
      case 'phase.updated': {
        const { task_id: id, index, phase } = message.data
        this.#change(id, (task) => ({ ...task, phases: task.phases.toSpliced(index, 1, phase) }))
        break
      }
      case 'step.updated': {
        const { task_id: id, phase_index: at, index, step } = message.data
        this.#change(id, (task) => {
          const phase = task.phases[at]
          return phase
            ? { ...task, phases: task.phases.with(at, { ...phase, steps: phase.steps.toSpliced(index, 1, step) }) }
            : task
        })
        break
      }
      case 'log.append': {
        const { task_id: id, text } = message.data
        this.logs.set(id, `${this.logs.get(id) ?? ''}${text}`)
      }
    }
  }

  #change(taskId: number, change: (task: Task) => Task): void {
    const task = this.tasks.get(taskId)
    if (task) this.tasks.set(taskId, change(task))
  }
}

function replaceOf<Of extends { readonly id: number }>(
  known: Map<number, Of>,
  fetched: readonly Of[],
  isOf: (one: Of) => boolean,
): void {
  for (const [id, one] of known) if (isOf(one)) known.delete(id)
  for (const one of fetched) known.set(one.id, one)
}
