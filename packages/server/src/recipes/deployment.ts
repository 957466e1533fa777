// What a recipe is given: what to deploy, where to, and the doors through which it changes what the platform remembers.
import type { Service } from '../domain/repository-config.ts'
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
  /** The folder of the platform on the server. */
  readonly serverFolder: (home: string) => string
  noteCommit(commit: Commit): Promise<void>
  /** The git host was met for the first time. */
  onRepositoryHostKey(projectId: number, hostKey: string): Promise<void>
  /** The port of each service that names none, by service. */
  allotPorts(services: readonly Service[]): Promise<Readonly<Record<string, number>>>
  /** All routes of the environment at once. */
  switchRoutes(routes: readonly { service: string; domain: string; port: number }[]): Promise<void>
}

export type Folders = ReturnType<typeof foldersOf>

/** Where the things of one environment are on its server. */
export function foldersOf(base: string, deployment: Pick<Deployment, 'taskId' | 'environment' | 'project'>) {
  const environment = `${base}/environments/${deployment.environment.id}`
  return {
    repository: `${base}/repositories/${deployment.project.id}.git`,
    environment,
    releases: `${environment}/releases`,
    release: `${environment}/releases/${deployment.taskId}`,
    steps: `${environment}/tasks`,
    /** Of one durable step: the number is its place among those of the task. */
    step: (number: number) => `${environment}/tasks/${deployment.taskId}/${number}`,
  }
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
