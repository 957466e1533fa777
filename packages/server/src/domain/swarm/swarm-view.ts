// What a Swarm says of the services of the platform.

export type SwarmView = {
  readonly services: readonly SwarmService[]
  /** Ended ones too, as long as the Swarm knows them. */
  readonly tasks: readonly SwarmTask[]
  readonly nodes: readonly SwarmNode[]
  /** The manager's clock. */
  readonly now: number
}

export type SwarmService = {
  readonly id: string
  readonly name: string
  readonly environment: number
  /** The deployment that started it, or updated it last. */
  readonly task: number
  /** That of the version before its last update. */
  readonly previousTask: number | null
  /** Its name in the compose file; empty for a job that is no service. */
  readonly service: string
  readonly mode: string
  readonly hash: string
  readonly slot: 'a' | 'b' | null
  /** The balance group that its tasks are in, and the port inside of them. */
  readonly group: number | null
  readonly port: number | null
  /** The node that has its volumes. */
  readonly node: string
  /** Null for a job. */
  readonly replicas: number | null
}

export type SwarmTask = {
  readonly id: string
  readonly serviceId: string
  /** Empty until it has one. */
  readonly nodeId: string
  /** The deployment that made its version. */
  readonly task: number
  readonly slot: number
  readonly state: string
  readonly desired: string
  readonly error: string
  readonly exitCode: number | null
  /** Null until it has one. Its node says so. */
  readonly container: string | null
  readonly createdAt: number
  readonly changedAt: number
  readonly ports: readonly { readonly target: number; readonly published: number }[]
}

export type SwarmNode = {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly address: string
  readonly state: string
  readonly availability: string
  readonly labels: Readonly<Record<string, string>>
  readonly cpus: number
  /** As its kernel names it, such as `x86_64`. */
  readonly processor: string
}

export const tasksOf = ({ tasks }: Pick<SwarmView, 'tasks'>, { id }: Pick<SwarmService, 'id'>): readonly SwarmTask[] =>
  tasks.filter(({ serviceId }) => serviceId === id)

export const isRunning = ({ state, desired }: SwarmTask): boolean => state === 'running' && desired === 'running'

/** Where a task can be reached; undefined while it has no node. A port of null is not known yet, or the Swarm has forgotten it. */
export function upstreamOf(
  task: SwarmTask,
  { port }: Pick<SwarmService, 'port'>,
  nodes: readonly SwarmNode[],
): { readonly address: string; readonly port: number | null } | undefined {
  const address = nodes.find(({ id }) => id === task.nodeId)?.address
  const published = task.ports.find(({ target }) => target === port)?.published
  return address === undefined ? undefined : { address, port: published ?? null }
}
