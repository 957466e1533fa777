// What a recipe is given: what to deploy, where to, and the doors through which it changes what the platform remembers.
import type { Recipe } from '@shipway/api/values/recipe'
import type { ComposeLimits } from '../domain/compose/model.ts'
import type { Capability } from '../domain/compose/policy/capabilities.ts'
import type { Service } from '../domain/repository/repository-config.ts'
import type { Remains } from '../domain/tasks/task-remains.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Repository } from '../source/connection.ts'
import type { Commit } from '../source/mirror.ts'
import type { Source } from '../source/source.ts'

export type Deployment = {
  readonly taskId: number
  readonly source: Source
  readonly repository: Repository
  readonly branch: string
  /** The commit that was asked for; else the newest of the branch. */
  readonly commitSha: string | null
  /** It was approved, or deployed by this environment before: it need not be in a branch any more. */
  readonly isCommitAdmitted: boolean
  /** Where the commit is to be found in place of the branch. */
  readonly forkRef: string | null
  readonly environment: {
    readonly id: number
    readonly name: string
    readonly type: 'pull_request' | 'manual'
    readonly domain: string
  }
  readonly project: { readonly id: number; readonly domain: string; readonly customDomains: readonly string[] }
  readonly dashboardHost: string
  /** Custom variables; the system's come on top. */
  readonly variables: ReadonlyMap<string, Secret>
  /** By which docker knows what belongs to the environment. */
  readonly ids: {
    readonly installationId: string
    readonly environmentId: number
    /** Only the environment knows these two: its images and what its builds cache are named after them. */
    readonly imageToken: string
    readonly cacheToken: string
  }
  /** What serves. */
  readonly live: { readonly taskId: number; readonly commitSha: string } | null
  /** What a removal undoes: what serves, else what was tried last, and how it was deployed. */
  readonly undo: {
    readonly taskId: number
    readonly commitSha: string
    readonly recipe: Recipe
    readonly isLive: boolean
  } | null
  /** The newest task that succeeded, or a later one that was stopped after its switch: its containers get the requests. */
  readonly servingTaskId: number | null
  /** The earlier deployment whose images are taken again. */
  readonly rollbackTo: number | null
  /** Images and releases of these stay, for a rollback. */
  readonly keptTaskIds: readonly number[]
  /** What an owner lets this environment do beyond the policy. */
  readonly grants: ReadonlySet<Capability>
  readonly limits: ComposeLimits
  readonly readySeconds: number
  readonly drainSeconds: number
  readonly leastDiskMebibytes: number
  /** Takes away what nobody needs on the server, the build cache too. */
  freeDisk(): Promise<void>
  /** Requests under way and WebSockets that lead to these ports of the server. */
  countStreams(ports: readonly number[]): Promise<number>
  /** The folder of the platform on the server. */
  readonly serverFolder: (home: string) => string
  noteCommit(commit: Commit): Promise<void>
  /** The git host was met for the first time. */
  onRepositoryHostKey(projectId: number, hostKey: string): Promise<void>
  /** Of these domains, those that other environments have. */
  listTakenDomains(domains: readonly string[]): Promise<readonly string[]>
  /** Makes these ports of the server the environment's own. Where one is not to be had, none is: whose they are comes back, by port. */
  claimPorts(ports: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** The port of each service that names none. A port that is foreign by what was seen is replaced. */
  allotPorts(services: readonly Service[], seen?: SeenPorts): Promise<readonly SlotPort[]>
  /** The two ports that each of these takes turns with. */
  allotSlots(services: readonly string[], seen: SeenPorts): Promise<readonly SlotPort[]>
  /** All routes of the environment at once. Returns when the next request sees them; what fails leaves the earlier ones. */
  switchRoutes(routes: readonly { service: string; domain: string; port: number }[]): Promise<void>
  /** All of them go, and nothing serves any more; what fails leaves them. */
  removeRoutes(): Promise<void>
  /** Of these tasks of the environment, those that have ended, by what is still needed of them. */
  remainsOf(taskIds: readonly number[]): Promise<Remains>
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

export function systemVariables({
  environment,
  branch,
}: Pick<Deployment, 'environment' | 'branch'>): [string, string][] {
  return [
    ['SERVICE_DOMAIN', environment.domain],
    ['SERVICE_ENV_IDENTIFIER', environment.name],
    ['SERVICE_ENV_TYPE', environment.type],
    ['SERVICE_ENV_BRANCH', branch],
  ]
}
