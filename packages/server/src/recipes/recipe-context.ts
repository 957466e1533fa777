// The context of a recipe: through these it reads the repository, and asks and changes what the platform remembers.
import type { Service } from '@shipway/rules/service-file/repository-config'
import type { TaskOrphans } from '../domain/tasks/task-orphans.ts'
import type { VisitorAnswer } from '../edge/visitor-answer.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Commit } from '../source/mirror.ts'
import type { Source } from '../source/source.ts'

export type RecipeContext = {
  readonly source: Source
  readonly composeConfigs: ComposeConfigCache
  /** Takes away what nobody needs on the server, the build cache too. */
  freeDisk(): Promise<void>
  /** Requests under way and WebSockets that lead to these ports of the server. */
  countStreams(ports: readonly number[]): Promise<number>
  noteCommit(commit: Commit): Promise<void>
  /** The git host was met for the first time. */
  onRepositoryHostKey(projectId: number, hostKey: string): Promise<void>
  /** Of these domains, those that other environments have. */
  listTakenDomains(domains: readonly string[]): Promise<readonly string[]>
  /** Makes these ports of the server the environment's own. Where one is not to be had, none is: whose they are comes back, by port. */
  claimPorts(ports: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** The port of each service that names none. A port that is foreign by what was seen is replaced. */
  allocatePorts(services: readonly Service[], seen?: SeenPorts): Promise<readonly SlotPort[]>
  /** The two ports that each of these takes turns with. */
  allocateSlots(services: readonly string[], seen: SeenPorts): Promise<readonly SlotPort[]>
  /** All routes of the environment at once. Returns when the next request sees them; what fails leaves the earlier ones. */
  switchRoutes(routes: readonly NewRoute[]): Promise<void>
  /** What a visitor of a route gets, asked once and for three seconds at most. Undefined where there is no answer; never rejects. */
  visit(route: NewRoute): Promise<VisitorAnswer | undefined>
  /** All of them go, and nothing serves any more; what fails leaves them. */
  removeRoutes(): Promise<void>
  /** What nobody waits for: it goes on when the task has ended. What it gives is logged; what fails is found again by the platform's clean-up. */
  afterwards(work: () => Promise<readonly string[]>): void
  /** Of these tasks of the environment, those that have ended, by what is still needed of them. */
  orphansOf(taskIds: readonly number[]): Promise<TaskOrphans>
}

/** What Compose has printed for this environment, by all that it reads. Values of variables are in both. */
export type ComposeConfigCache = {
  find(inputs: Secret): Secret | undefined
  keep(printed: Secret, inputs: Secret): void
}

/** `service` as it stands in routes, which is not its name at the environment's own domain (`serviceInRoute`). */
export type NewRoute = {
  readonly service: string
  readonly domain: string
  readonly port: number
  readonly name: string
  /** The path that shows whether it answers. */
  readonly health: string
}

export type SlotPort = {
  readonly service: string
  readonly slot: 'a' | 'b'
  readonly port: number
  /** The port that it had, where that was replaced. */
  readonly insteadOf?: number
}

/** Ports of the server that are in use, and those of them that something has which is not of this environment. */
type SeenPorts = { readonly inUse: ReadonlySet<number>; readonly foreign: ReadonlySet<number> }

export const replacedSentence = ({ service, port, insteadOf }: SlotPort): string =>
  `Port ${insteadOf} of the server is used by something else: ${service} has port ${port} from now on`
