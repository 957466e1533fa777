// Compares applications of another platform with what is here: what would be made, what exists, and what stays behind.
import {
  type Client,
  defaultDomain,
  type Environment,
  environmentNameOf,
  type GitConnection,
  type Project,
  type Server,
} from '@shipway/api'
import { Branch } from '@shipway/api/values/branch'
import { Hostname, isUnder } from '@shipway/api/values/hostname'
import { parseRepositoryAddress } from '@shipway/api/values/repository-address'
import { reservedFor, VARIABLE_LIMITS, VariableKey, VariableValue } from '@shipway/api/values/variable'
import { UsageError } from '../command-error.ts'
import { shellWord } from '../target/command-words.ts'
import { PAGE_SIZE, readAllPages } from '../target/read-all-pages.ts'
import { isSameRepository } from '../target/same-repository.ts'
import { plainText } from '../terminal/sanitize.ts'
import { domainOf, type Match, matchEnvironments } from './match-environments.ts'
import type { OtherApp, OtherPlatform, Schedule } from './other-platform.ts'

type PlannedVariables = {
  readonly set: Readonly<Record<string, string>>
  /** Keys that the environment has. Their values stay. */
  readonly existing: readonly string[]
}

export type PlannedEnvironment = {
  readonly name: string
  readonly branch: string
  readonly domain: string | undefined
  readonly existing: Environment | undefined
  readonly variables: PlannedVariables
}

export type PlannedProject = {
  readonly name: string
  readonly repository: string
  /** Of a connected git host; undefined where a user adds the key and the webhook. */
  readonly connected: { readonly connection: GitConnection; readonly repository: string } | undefined
  readonly domain: string
  /** Those that the project lacks. */
  readonly customDomains: readonly string[]
  readonly existing: Project | undefined
  readonly environments: readonly PlannedEnvironment[]
}

/** `environment` is where it runs: a schedule that names none runs nowhere. */
export type PlannedSchedule = Schedule & { readonly project: string; readonly environment: string }

export type LeftBehind = { readonly app: string | null; readonly sentence: string }

export type Plan = {
  readonly title: string
  readonly projects: readonly PlannedProject[]
  readonly schedules: readonly PlannedSchedule[]
  readonly leftBehind: readonly LeftBehind[]
}

export type Here = {
  readonly client: Client
  readonly organizationId: number
  readonly projects: readonly Project[]
  readonly servers: readonly Server[]
  readonly connections: readonly GitConnection[]
}

type PlanOptions = {
  /** Domain below which projects get theirs. */
  readonly base: string | undefined
  /** Repositories that the user named, by application. */
  readonly repositories: ReadonlyMap<string, string>
}

export async function makePlan(here: Here, platform: OtherPlatform, options: PlanOptions): Promise<Plan> {
  const left: LeftBehind[] = platform.leftBehind.map((sentence) => ({ app: null, sentence }))
  const groups = new Map<string, { readonly address: string; readonly apps: OtherApp[] }>()
  const ownerOf = new Map<string, string>()
  for (const app of platform.apps.map(withKnownBranch)) {
    for (const sentence of app.leftBehind) left.push({ app: app.name, sentence })
    const given = options.repositories.get(app.name) ?? app.repository
    const address = given === undefined ? undefined : sshAddress(given)
    if (address === undefined) left.push({ app: app.name, sentence: whyNoRepository(app.name, given) })
    else {
      const own = withOwnDomains(app, ownerOf, left)
      const known = [...groups.values()].find((group) => isSameRepository(group.address, address))
      if (known) known.apps.push(own)
      else groups.set(address, { address, apps: [own] })
    }
  }
  const projects: PlannedProject[] = []
  const schedules: PlannedSchedule[] = []
  for (const group of groups.values()) {
    if (isNameTaken(here, group)) {
      const sentence = 'A project of this name has another repository. Rename that project, and import again'
      for (const app of group.apps) left.push({ app: app.name, sentence })
      continue
    }
    const project = await planProject(here, group, { options, planned: projects, left })
    projects.push(project)
    // The environment of an application has the place of the application.
    for (const [index, { name: environment }] of project.environments.entries())
      for (const schedule of group.apps[index]?.schedules ?? [])
        schedules.push({ ...schedule, project: project.name, environment })
  }
  return { title: platform.title, projects, schedules, leftBehind: left }
}

const isNameTaken = ({ projects }: Here, { address, apps }: Group): boolean =>
  !projects.some(({ repo_url: url }) => isSameRepository(url, address)) &&
  projects.some(({ name }) => name === nameOf(apps))

/** An address that is refused may hold a password, so it is not repeated. */
const whyNoRepository = (name: string, given: string | undefined): string =>
  given === undefined
    ? `It has no git repository that the platform tells. Name one: --repo ${shellWord(`${name}=ADDRESS`)}`
    : `The address of its repository is none that git is given safely, such as one with a password. Name it: --repo ${shellWord(`${name}=ADDRESS`)}`

/** Over ssh, since the platform reads repositories with a key of its own. */
function sshAddress(text: string): string | undefined {
  const parts = parseRepositoryAddress(text)
  if (!parts) return undefined
  if (parts.protocol === 'ssh') return text
  return `git@${parts.host}:${parts.path
    .replace(/^\/+/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')}.git`
}

/** There, paths of one domain can lead to several applications. Here it belongs to one environment: that of the first. */
function withOwnDomains(app: OtherApp, ownerOf: Map<string, string>, left: LeftBehind[]): OtherApp {
  for (const host of app.domains) {
    const owner = ownerOf.get(host)
    if (owner === undefined) continue
    const sentence = `Domain ${host}: ${owner} has it, and a domain leads to one environment. Give it another one`
    left.push({ app: app.name, sentence })
  }
  const domains = app.domains.filter((host) => !ownerOf.has(host))
  for (const host of domains) ownerOf.set(host, app.name)
  return { ...app, domains }
}

/** The other platform may leave it empty, or name none that git has. */
const withKnownBranch = (app: OtherApp): OtherApp =>
  Branch.safeParse(app.branch).success ? app : { ...app, branch: undefined }

/** One that a project may have, whatever the other platform allows in a name. */
function nameOf(apps: readonly OtherApp[]): string {
  const [first] = apps
  const characters = Array.from(plainText(first?.name ?? ''))
  return characters.slice(0, 60).join('').trim() || 'project'
}

type Group = { readonly address: string; readonly apps: readonly OtherApp[] }
type Planning = {
  readonly options: PlanOptions
  readonly planned: readonly PlannedProject[]
  readonly left: LeftBehind[]
}

async function planProject(here: Here, { address, apps }: Group, planning: Planning): Promise<PlannedProject> {
  const { client } = here
  const existing = here.projects.find(({ repo_url: url }) => isSameRepository(url, address))
  const name = existing?.name ?? nameOf(apps)
  const domain = existing?.domain ?? projectDomainOf(here, name, planning)
  const wanted = apps.flatMap((app) => usableDomains(app, planning.left))
  const custom = wanted.filter((host) => !isUnder(host, domain) && !existing?.custom_domains.includes(host))
  const environments = existing
    ? await readAllPages((cursor) =>
        client.raw.listEnvironments({ params: { id: existing.id }, query: { limit: PAGE_SIZE, cursor } }),
      )
    : []
  const planned: PlannedEnvironment[] = []
  const matches = matchEnvironments({ apps, environments, domain })
  for (const [index, match] of matches.entries()) {
    const app = apps[index]
    if (app) planned.push(await planEnvironment(client, { app, match, left: planning.left, existing }))
  }
  return {
    name,
    repository: existing?.repo_url ?? address,
    connected: existing ? undefined : await findConnected(here, address),
    domain,
    customDomains: [...new Set(custom)],
    existing,
    environments: planned,
  }
}

function projectDomainOf(here: Here, name: string, { options, planned }: Planning): string {
  const domain =
    options.base === undefined
      ? defaultDomain({
          name,
          projectDomains: here.projects.map((project) => project.domain),
          hostnames: here.servers.map(({ hostname }) => hostname),
        })
      : `${environmentNameOf(name)}.${options.base}`
  if (domain === '') throw UsageError('Below which domain shall projects answer? Give it: --domain apps.example.com')
  const taken = new Set([...here.projects, ...planned].map((project) => project.domain))
  const numbered = [domain, ...[2, 3, 4, 5].map((number) => domain.replace(/^[^.]+/, (label) => `${label}-${number}`))]
  return numbered.find((one) => !taken.has(one)) ?? domain
}

function usableDomains(app: OtherApp, left: LeftBehind[]): readonly string[] {
  const [used, ...others] = app.domains.filter((host) => Hostname.safeParse(host).success)
  const wild = app.domains.filter((host) => !Hostname.safeParse(host).success)
  if (others.length > 0) {
    const sentence = `Domains ${others.join(', ')}: an environment has one. Give others to services in .service.yml`
    left.push({ app: app.name, sentence })
  }
  if (wild.length > 0) left.push({ app: app.name, sentence: `Domains ${wild.join(', ')}: give each name by itself` })
  return used === undefined ? [] : [used, ...others]
}

type EnvironmentPlanning = {
  readonly app: OtherApp
  readonly match: Match<Environment>
  readonly left: LeftBehind[]
  readonly existing: Project | undefined
}

async function planEnvironment(
  client: Client,
  { app, match: { name, existing }, left, existing: project }: EnvironmentPlanning,
): Promise<PlannedEnvironment> {
  const known = existing ? await client.listVariables({ params: { id: existing.id } }) : undefined
  const keys = new Set(known?.variables.map(({ key }) => key) ?? [])
  return {
    name,
    branch: existing?.branch ?? app.branch ?? project?.default_branch ?? 'main',
    domain: domainOf(app),
    existing,
    variables: planVariables(app, keys, left),
  }
}

function planVariables(app: OtherApp, known: ReadonlySet<string>, left: LeftBehind[]): PlannedVariables {
  const set: [string, string][] = []
  const refused: string[] = []
  const references: string[] = []
  let bytes = 0
  for (const [key, value] of app.variables) {
    if (known.has(key)) continue
    const size = Math.max(2048, 2 ** Math.ceil(Math.log2(Math.max(1, Buffer.byteLength(value)))))
    const isUsable =
      VariableKey.safeParse(key).success && !reservedFor(key, 'docker') && VariableValue.safeParse(value).success
    if (/\$\{\{.*\}\}/s.test(value)) references.push(key)
    else if (!isUsable || bytes + size > VARIABLE_LIMITS.totalBytes || known.size + set.length >= VARIABLE_LIMITS.keys)
      refused.push(key)
    else {
      bytes += size
      set.push([key, value])
    }
  }
  if (refused.length > 0)
    left.push({
      app: app.name,
      sentence: `Variables that Shipway keeps for itself or cannot hold: ${refused.join(', ')}`,
    })
  if (references.length > 0)
    left.push({ app: app.name, sentence: `Variables that refer to others: ${references.join(', ')}. Set their values` })
  return { set: Object.fromEntries(set), existing: [...app.variables.keys()].filter((key) => known.has(key)) }
}

/** Where a connection sees the repository, the platform adds the key and the webhook itself. */
async function findConnected({ client, connections }: Here, address: string): Promise<PlannedProject['connected']> {
  const parts = parseRepositoryAddress(address)
  const repository = parts?.path.replace(/^\/+/, '').replace(/\.git$/, '')
  if (!parts || repository === undefined) return undefined
  for (const connection of connections) {
    if (URL.parse(connection.base_url)?.hostname !== parts.host) continue
    const query = { search: repository.split('/').at(-1) ?? repository }
    const found = await client.listConnectionRepositories({ params: { id: connection.id }, query })
    const same = found.find(({ full_name: name }) => name.toLowerCase() === repository.toLowerCase())
    if (same) return { connection, repository: same.full_name }
  }
  return undefined
}

/** Whether the plan changes anything here. */
export const isEmpty = ({ projects }: Plan): boolean =>
  projects.every(
    ({ existing, customDomains, environments }) =>
      existing !== undefined &&
      customDomains.length === 0 &&
      environments.every(
        (environment) => environment.existing !== undefined && Object.keys(environment.variables.set).length === 0,
      ),
  )
