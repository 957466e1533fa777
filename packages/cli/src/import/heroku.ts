// Heroku: the Platform API, with an API key. It does not name repositories, so the user names them.
import { z } from 'zod'
import {
  hostsOf,
  Key,
  listOf,
  MOST_APPS,
  type OtherApp,
  type OtherPlatform,
  type ReadAnswer,
  Text,
} from './other-platform.ts'
import { parsePart } from './parse-part.ts'

const App = z.looseObject({ id: Key, name: z.string(), maintenance: z.boolean().nullish() })
const ConfigVars = z.record(
  z.string(),
  z
    .string()
    .max(64 * 1024)
    .nullable(),
)
const Domain = z.looseObject({ hostname: Text, kind: Text })
const Addon = z.looseObject({
  name: z.string(),
  addon_service: z.looseObject({ name: z.string() }),
  config_vars: listOf(z.string()).nullish(),
})
const Process = z.looseObject({ type: z.string(), command: Text, quantity: z.int().nullish() })

export async function readHeroku(read: ReadAnswer): Promise<OtherPlatform> {
  const apps: OtherApp[] = []
  for (const app of parsePart(listOf(App).max(MOST_APPS), await read('/apps'), 'apps'))
    apps.push(await readApp(read, app))
  return { title: 'Heroku', apps, leftBehind: [] }
}

async function readApp(read: ReadAnswer, { id, name }: z.infer<typeof App>): Promise<OtherApp> {
  const config = parsePart(ConfigVars, (await read(`/apps/${id}/config-vars`)) ?? {}, 'config-vars')
  const domains = parsePart(listOf(Domain), (await read(`/apps/${id}/domains`)) ?? [], 'domains')
  const addons = parsePart(listOf(Addon), (await read(`/apps/${id}/addons`)) ?? [], 'addons')
  const processes = parsePart(listOf(Process), (await read(`/apps/${id}/formation`)) ?? [], 'formation')
  const ofAddons = new Set(addons.flatMap(({ config_vars: keys }) => keys ?? []))
  const own = Object.entries(config).flatMap(([key, value]) =>
    value === null || ofAddons.has(key) ? [] : [[key, value] as const],
  )
  const lost = Object.keys(config).filter((key) => ofAddons.has(key))
  return {
    name,
    repository: undefined,
    branch: undefined,
    stage: 'production',
    domains: hostsOf(domains.flatMap(({ hostname, kind }) => (kind === 'custom' && hostname ? [hostname] : []))),
    variables: new Map(own),
    schedules: [],
    leftBehind: [
      ...addons.map(({ name: addon, addon_service: { name: service } }) =>
        service === 'scheduler'
          ? `Add-on ${addon}: Heroku's API does not tell its jobs. Write them as actions with a schedule`
          : `Add-on ${addon} (${service}): its data is not copied. Add the service to a compose file, and load a dump`,
      ),
      ...(lost.length > 0 ? [`Variables of add-ons, which lead to Heroku: ${lost.join(', ')}`] : []),
      ...processes
        .filter(({ type }) => type !== 'web')
        .map(({ type, command }) => `Process ${type}${command ? ` (${command})` : ''}: ${placeOf(type)}`),
    ],
  }
}

const placeOf = (type: string): string =>
  type === 'release' ? 'write it as docker.release in .service.yml' : 'make it a service of the compose file'
