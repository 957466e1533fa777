// What a recipe deploys, and where. Plain data: changes go through the context.
import type { Recipe } from '@shipway/api/values/recipe'
import type { ComposeLimits } from '@shipway/rules/compose/model'
import type { Capability } from '@shipway/rules/compose/policy/capabilities'
import type { OutputLimits } from '../remote/output/output-scripts.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Repository } from '../source/connection.ts'

export type Deployment = {
  readonly taskId: number
  readonly repository: Repository
  readonly branch: string
  /** The requested commit; null for the newest of the branch. */
  readonly commitSha: string | null
  /** The newest commit of the branch according to the git host's event, where one came. */
  readonly reportedSha: string | null
  /** The commit was approved, or this environment deployed it before: it need not be in a branch any more. */
  readonly isCommitAdmitted: boolean
  /** Its commits were sent by a user, and are not at the git host. */
  readonly isUpload: boolean
  /** The ref that has the commit, in place of the branch. */
  readonly forkRef: string | null
  readonly environment: {
    readonly id: number
    readonly name: string
    readonly type: 'pull_request' | 'manual'
    readonly domain: string
  }
  readonly project: { readonly id: number; readonly domain: string; readonly customDomains: readonly string[] }
  readonly dashboardHost: string
  /** Custom variables, without the system's. */
  readonly variables: ReadonlyMap<string, Secret>
  /** Keys of the variables that are not secret and that builds get. */
  readonly buildKeys: ReadonlySet<string>
  /** Docker labels and names what belongs to the environment by these. */
  readonly ids: {
    readonly installationId: string
    readonly environmentId: number
    /** Only this environment knows these two: they are part of the names of its images and of its build cache. */
    readonly imageToken: string
    readonly cacheToken: string
  }
  /** Of the project's settings, for a commit without `.service.yml`. A rollback has that of the deployment it rolls back to. */
  readonly serviceFile: string | null
  /** The live deployment on this server. */
  readonly live: { readonly taskId: number; readonly commitSha: string } | null
  /** Also on another server: a database elsewhere still has the data of an environment that was moved. Not after a reset. */
  readonly hasBeenLive: boolean
  /** The deployment that a removal undoes: the live one, else the last attempt. */
  readonly undo: {
    readonly taskId: number
    readonly commitSha: string
    readonly recipe: Recipe
    readonly isLive: boolean
    /** What it used of the project's settings. */
    readonly serviceFile: string | null
  } | null
  /** The newest task that succeeded, or a later one that was stopped after its switch: its containers get the requests. */
  readonly servingTaskId: number | null
  /** What that deployment used of the project's settings. */
  readonly servingServiceFile: string | null
  /** The earlier deployment whose images a rollback reuses. */
  readonly rollbackTo: number | null
  /** Tasks whose images and releases are kept for rollbacks. */
  readonly keptTaskIds: readonly number[]
  /** Capabilities that an owner granted beyond the policy. */
  readonly grants: ReadonlySet<Capability>
  readonly limits: ComposeLimits
  /** Replicas that users chose, by service, in place of those of its file. */
  readonly replicas: ReadonlyMap<string, number>
  readonly readySeconds: number
  readonly drainSeconds: number
  readonly leastDiskMebibytes: number
  /** Limits for the kept output of its services. */
  readonly keptOutput: OutputLimits
  /** The folder of the platform on the server: below the home folder of its user there, unless it is absolute. */
  readonly serverFolder: string
}

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
