// Coolify: its API v1, with a token that may read sensitive values.
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

const Application = z.looseObject({
  uuid: Key,
  name: z.string(),
  fqdn: Text,
  git_repository: Text,
  git_branch: Text,
  build_pack: Text,
  base_directory: Text,
  docker_compose_domains: Text,
  environment_id: z.int().nullish(),
})
const Variable = z.looseObject({
  key: z.string(),
  value: Text,
  is_preview: z.boolean().nullish(),
  is_coolify: z.boolean().nullish(),
})
const Named = z.looseObject({ uuid: Key, name: z.string() })
const Project = Named.extend({ environments: listOf(z.looseObject({ id: z.int(), name: z.string() })).nullish() })
const Task = z.looseObject({
  name: z.string(),
  command: z.string(),
  frequency: z.string(),
  enabled: z.boolean().nullish(),
})

export async function readCoolify(read: ReadAnswer): Promise<OtherPlatform> {
  const applications = parsePart(listOf(Application).max(MOST_APPS), await read('/applications'), 'applications')
  const stages = await readStages(read)
  const apps: OtherApp[] = []
  for (const application of applications) apps.push(await readApplication(read, application, stages))
  const databases = parsePart(listOf(Named), (await read('/databases')) ?? [], 'databases')
  const services = parsePart(listOf(Named), (await read('/services')) ?? [], 'services')
  return {
    title: 'Coolify',
    apps,
    leftBehind: [
      ...databases.map(
        ({ name }) => `Database ${name}: its data is not copied. Add it to a compose file, and load a dump`,
      ),
      ...services.map(({ name }) => `Service ${name}: it has no repository. Put its compose file into one`),
    ],
  }
}

/** Names of environments by their ids. */
async function readStages(read: ReadAnswer): Promise<ReadonlyMap<number, string>> {
  const stages = new Map<number, string>()
  for (const { uuid } of parsePart(listOf(Named), (await read('/projects')) ?? [], 'projects')) {
    const project = await read(`/projects/${uuid}`)
    if (project === undefined) continue
    for (const { id, name } of parsePart(Project, project, 'project').environments ?? []) stages.set(id, name)
  }
  return stages
}

type Application = z.infer<typeof Application>

async function readApplication(
  read: ReadAnswer,
  application: Application,
  stages: ReadonlyMap<number, string>,
): Promise<OtherApp> {
  const { uuid, name, fqdn, git_repository: repository, build_pack: buildPack, base_directory: folder } = application
  const variables = parsePart(listOf(Variable), (await read(`/applications/${uuid}/envs`)) ?? [], 'envs')
  const own = variables.filter((variable) => !variable.is_preview && !variable.is_coolify)
  const hidden = own.filter(({ value }) => value === undefined || value === null).map(({ key }) => key)
  return {
    name,
    repository: buildPack === 'dockerimage' ? undefined : repositoryAt('github.com', repository),
    branch: application.git_branch ?? undefined,
    stage: stages.get(application.environment_id ?? 0) ?? 'production',
    domains: hostsOf([...(fqdn ?? '').split(','), ...composeDomains(application.docker_compose_domains)]),
    variables: new Map(own.flatMap(({ key, value }) => (typeof value === 'string' ? [[key, value] as const] : []))),
    schedules: await readTasks(read, uuid),
    leftBehind: [
      ...(hidden.length > 0
        ? [`Values of ${hidden.join(', ')}: the token may not read them. Create one with read:sensitive`]
        : []),
      ...(buildPack === 'nixpacks' || buildPack === 'static' || buildPack === 'railpack'
        ? [`The build with ${buildPack}: Shipway builds a Dockerfile or a compose file. shipway init suggests the rest`]
        : []),
      ...(folder && folder !== '/'
        ? [`It is built in ${folder}: name that folder in the compose file or in .service.yml`]
        : []),
      ...(variables.some(({ is_preview: isPreview }) => isPreview)
        ? ['Variables of previews: set them for the project with shipway vars set --shared']
        : []),
    ],
  }
}

async function readTasks(read: ReadAnswer, uuid: string): Promise<readonly Schedule[]> {
  const tasks = parsePart(listOf(Task), (await read(`/applications/${uuid}/scheduled-tasks`)) ?? [], 'scheduled-tasks')
  return tasks
    .filter(({ enabled }) => enabled !== false)
    .map(({ name, command, frequency }) => ({
      name,
      command,
      cron: FREQUENCIES.get(frequency.replace(/^@/, '')) ?? frequency,
    }))
}

/** Words that Coolify takes in place of five fields. */
const FREQUENCIES: ReadonlyMap<string, string> = new Map([
  ['every_minute', '* * * * *'],
  ['hourly', '0 * * * *'],
  ['daily', '0 0 * * *'],
  ['weekly', '0 0 * * 0'],
  ['monthly', '0 0 1 * *'],
  ['yearly', '0 0 1 1 *'],
])

/** JSON in a string: `{"web":{"domain":"https://…"}}`. */
function composeDomains(text: string | null | undefined): readonly string[] {
  if (!text) return []
  try {
    const parsed = z.record(z.string(), z.looseObject({ domain: Text })).safeParse(JSON.parse(text))
    return parsed.success ? Object.values(parsed.data).flatMap(({ domain }) => (domain ?? '').split(',')) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
