// Dokploy: its API, with an API key.
import { parseEnv } from '@shipway/api/values/env-file'
import { z } from 'zod'
import {
  hostsOf,
  Key,
  listOf,
  MOST_APPS,
  type OtherApp,
  type OtherPlatform,
  type ReadAnswer,
  repositoryAt,
  type Schedule,
  Text,
} from './other-platform.ts'
import { parsePart } from './parse-part.ts'
import { NotUnderstood } from './read-answers.ts'

const Workloads = {
  applications: listOf(z.looseObject({ applicationId: Key })).nullish(),
  compose: listOf(z.looseObject({ composeId: Key })).nullish(),
}
const Named = listOf(z.looseObject({ name: z.string() })).nullish()
const Databases = { postgres: Named, mysql: Named, mariadb: Named, mongo: Named, redis: Named }
const Environment = z.looseObject({ name: z.string(), env: Text, ...Workloads, ...Databases })
/** Before environments were added, a project had its parts itself. */
const Project = z.looseObject({
  name: z.string(),
  env: Text,
  environments: listOf(Environment).nullish(),
  ...Workloads,
  ...Databases,
})
const Detail = z.looseObject({
  name: z.string(),
  env: Text,
  sourceType: Text,
  repository: Text,
  owner: Text,
  branch: Text,
  gitlabPathNamespace: Text,
  gitlabBranch: Text,
  giteaOwner: Text,
  giteaRepository: Text,
  giteaBranch: Text,
  bitbucketOwner: Text,
  bitbucketRepository: Text,
  bitbucketBranch: Text,
  customGitUrl: Text,
  customGitBranch: Text,
  buildType: Text,
  buildPath: Text,
  domains: listOf(z.looseObject({ host: z.string(), path: Text })).nullish(),
  mounts: listOf(z.unknown()).nullish(),
  gitlab: z.looseObject({ gitlabUrl: Text }).nullish(),
  gitea: z.looseObject({ giteaUrl: Text }).nullish(),
})
type Detail = z.infer<typeof Detail>
const Task = z.looseObject({
  name: z.string(),
  cronExpression: z.string(),
  command: Text,
  enabled: z.boolean().nullish(),
})

type Stage = z.infer<typeof Environment>

export async function readDokploy(read: ReadAnswer): Promise<OtherPlatform> {
  const projects = parsePart(listOf(Project).max(MOST_APPS), await read('/project.all'), 'project.all')
  const apps: OtherApp[] = []
  const leftBehind: string[] = []
  for (const project of projects) {
    const stages: readonly Stage[] = project.environments ?? [{ ...project, name: 'production', env: undefined }]
    for (const stage of stages) {
      const shared = `${project.env ?? ''}\n${stage.env ?? ''}`
      for (const { applicationId } of stage.applications ?? [])
        apps.push(await readDetail(read, { kind: 'application', id: applicationId, stage: stage.name, shared }))
      for (const { composeId } of stage.compose ?? [])
        apps.push(await readDetail(read, { kind: 'compose', id: composeId, stage: stage.name, shared }))
      for (const kind of Object.keys(Databases) as (keyof typeof Databases)[])
        for (const { name } of stage[kind] ?? [])
          leftBehind.push(
            `Database ${name} (${kind}): its data is not copied. Add it to a compose file, and load a dump`,
          )
      if (apps.length > MOST_APPS) throw NotUnderstood('Dokploy', 'too many applications')
    }
  }
  return { title: 'Dokploy', apps, leftBehind }
}

type Part = {
  readonly kind: 'application' | 'compose'
  readonly id: string
  readonly stage: string
  readonly shared: string
}

async function readDetail(read: ReadAnswer, { kind, id, stage, shared }: Part): Promise<OtherApp> {
  const detail = parsePart(Detail, await read(`/${kind}.one`, { [`${kind}Id`]: id }), `${kind}.one`)
  const { entries, faults } = parseEnv(detail.env ?? '')
  const { repository, branch } = sourceOf(detail)
  return {
    name: detail.name,
    repository,
    branch,
    stage,
    domains: hostsOf((detail.domains ?? []).map(({ host }) => host)),
    variables: new Map(entries.map(({ key, value }) => [key, value])),
    schedules: await readSchedules(read, kind, id),
    leftBehind: [
      ...(faults.length > 0 ? [`${faults.length} lines of its variables that could not be read`] : []),
      ...(shared.trim() === '' ? [] : ['Variables that its project shares: set them with shipway vars set --shared']),
      ...((detail.mounts ?? []).length > 0
        ? ['Its mounts: name volumes in a compose file. Their data is not copied']
        : []),
      ...((detail.domains ?? []).some(({ path }) => path && path !== '/')
        ? ['Paths of its domains: a domain leads to one service']
        : []),
      ...(kind === 'application' && detail.buildType && detail.buildType !== 'dockerfile'
        ? [
            `The build with ${detail.buildType}: Shipway builds a Dockerfile or a compose file. shipway init suggests the rest`,
          ]
        : []),
      ...(detail.buildPath && detail.buildPath !== '/'
        ? [`It is built in ${detail.buildPath}: name that folder in the compose file`]
        : []),
    ],
  }
}

type Source = Pick<OtherApp, 'repository' | 'branch'>

function sourceOf(detail: Detail): Source {
  const named = (host: string, owner: string | null | undefined, name: string | null | undefined) =>
    owner && name ? repositoryAt(host, `${owner}/${name}`) : undefined
  const sources: Readonly<Record<string, () => Source>> = {
    github: () => ({
      repository: named('github.com', detail.owner, detail.repository),
      branch: detail.branch ?? undefined,
    }),
    gitlab: () => ({
      repository: repositoryAt(hostOfUrl(detail.gitlab?.gitlabUrl, 'gitlab.com'), detail.gitlabPathNamespace),
      branch: detail.gitlabBranch ?? undefined,
    }),
    gitea: () => ({
      repository: named(hostOfUrl(detail.gitea?.giteaUrl, 'gitea.com'), detail.giteaOwner, detail.giteaRepository),
      branch: detail.giteaBranch ?? undefined,
    }),
    bitbucket: () => ({
      repository: named('bitbucket.org', detail.bitbucketOwner, detail.bitbucketRepository),
      branch: detail.bitbucketBranch ?? undefined,
    }),
    git: () => ({ repository: detail.customGitUrl ?? undefined, branch: detail.customGitBranch ?? undefined }),
  }
  const type = detail.sourceType ?? ''
  return Object.hasOwn(sources, type) ? (sources[type]?.() ?? NO_SOURCE) : NO_SOURCE
}

const NO_SOURCE: Source = { repository: undefined, branch: undefined }

const hostOfUrl = (url: string | null | undefined, otherwise: string): string =>
  URL.parse(url ?? '')?.hostname || otherwise

async function readSchedules(read: ReadAnswer, kind: string, id: string): Promise<readonly Schedule[]> {
  const answer = await read('/schedule.list', { id, scheduleType: kind })
  return parsePart(listOf(Task), answer ?? [], 'schedule.list')
    .filter(({ enabled }) => enabled !== false)
    .map(({ name, cronExpression, command }) => ({ name, cron: cronExpression, command: command ?? '' }))
}
