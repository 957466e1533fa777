// What a recipe deploys, and where to. All of it is data; what changes something is behind the context.
import type { Recipe } from '@shipway/api/values/recipe'
import type { ComposeLimits } from '@shipway/rules/compose/model'
import type { Capability } from '@shipway/rules/compose/policy/capabilities'
import type { OutputBounds } from '../remote/output/output-scripts.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Repository } from '../source/connection.ts'

export type Deployment = {
  readonly taskId: number
  readonly repository: Repository
  readonly branch: string
  /** The commit that was asked for; else the newest of the branch. */
  readonly commitSha: string | null
  /** Of the newest that is wanted: which commit the git host told of, if it did. */
  readonly toldSha: string | null
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
  /** Those of them that are marked as not secret, and handed to builds. */
  readonly buildKeys: ReadonlySet<string>
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
  /** Of what its services print. */
  readonly keptOutput: OutputBounds
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
