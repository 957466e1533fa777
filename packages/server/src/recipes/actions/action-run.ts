// What the program of an action is given, and where it runs.
import type { Recipe } from '@shipway/api/values/recipe'
import type { Deployment } from '../../deployment/deployment.ts'
import type { Account } from '../../remote/accounts/account.ts'
import type { ExecTarget } from '../../runtimes/runtime.ts'

export type ActionRun = {
  readonly deployment: Deployment
  readonly action: ActionToRun
  /** The deployment that it runs in, and how that was deployed. */
  readonly servingTaskId: number
  readonly recipe: Recipe
  /** What its files may take together. */
  readonly mostArtifactBytes: number
}

/** Plain JSON: a step hands it on. */
export type ActionToRun = {
  readonly name: string
  readonly run: string
  readonly service: string | null
  /** The service that is meant where the action names none. */
  readonly mainService: string | null
  readonly artifactPaths: readonly string[]
  readonly timeoutMs: number | null
}

/** Plain JSON, as well. */
export type ActionTarget = ({ readonly type: 'container' } & ExecTarget) | ReleaseTarget

export type ReleaseTarget = {
  readonly type: 'release'
  readonly folder: string
  /** Where the platform has its `.service.yml`; the folder itself by default. */
  readonly configFolder?: string
  /** Whose it is, where that is not the platform's user. */
  readonly account?: Account
}
