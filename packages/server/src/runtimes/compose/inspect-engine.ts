// Asks the Engine API in one go for the containers, networks and images of an environment.
import { z } from 'zod'
import { dockerScript } from '../../commands/docker/script.ts'
import type { Deployment } from '../../deployment/deployment.ts'
import { composeProjectName } from '../../domain/compose/project-name.ts'
import { type Host, TooMuchOutput } from '../../remote/host.ts'
import { type Container, listContainers, readContainer } from './containers/list-containers.ts'
import { EngineJson } from './engine-json.ts'
import { type FoundImage, findImages } from './images/find-images.ts'
import { EngineNetwork, type EnvironmentNetwork, listNetworks } from './networks/list-networks.ts'

export type EngineView = {
  readonly containers: readonly Container[]
  /** In the order of the names; null for a missing one. */
  readonly images: readonly (FoundImage | null)[]
  readonly networks: readonly EnvironmentNetwork[]
}

/** Falls back to the docker command where the Engine has no reachable socket. */
export async function inspectEngine(
  host: Host,
  ids: Deployment['ids'],
  images: readonly string[],
): Promise<EngineView> {
  const seen = await askEngine(host, ids, images)
  if (seen) return seen
  const [containers, found, networks] = await Promise.all([
    listContainers(host, ids),
    findImages(host, images),
    listNetworks(host, ids),
  ])
  return { containers, images: found, networks }
}

async function askEngine(
  host: Host,
  ids: Deployment['ids'],
  images: readonly string[],
): Promise<EngineView | undefined> {
  if (!images.every((image) => PLAIN_IMAGE.test(image))) return undefined
  const words = [ids.installationId, String(ids.environmentId), composeProjectName(ids), ...images]
  const printed = await host.run(dockerScript('inspect-engine', ...words)).catch((error: unknown) => {
    // Labels can have any length; the docker command leaves them out.
    if (!(error instanceof TooMuchOutput)) throw error
    return { exitCode: 1, stdout: '' }
  })
  if (printed.exitCode !== 0) return undefined
  const lines = printed.stdout.toString().split('\n').filter(Boolean)
  const answers = lines.flatMap((json, at) => (at % 2 === 0 ? [{ json, status: lines[at + 1] }] : []))
  const [containers, networks, ...found] = answers.map(({ json, status }) =>
    status === '200' ? EngineJson.safeParse(json).data : status === '404' ? null : undefined,
  )
  const view = View.safeParse({ containers, networks, images: found })
  return view.success && view.data.images.length === images.length ? view.data : undefined
}

/** No character of it has a meaning in a URL. */
const PLAIN_IMAGE = /^(?!.*\.\.)[a-z0-9][\w./:@-]*$/

const Keys = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((all) => Object.keys(all ?? {}))

const EngineContainer = z
  .object({
    Id: z.string(),
    State: z.string(),
    Status: z.string(),
    Labels: z.record(z.string(), z.string()).nullish(),
    Ports: z.array(z.object({ PublicPort: z.number().nullish() })).nullish(),
    NetworkSettings: z.object({ Networks: Keys }).nullish(),
  })
  .transform(({ Id, State, Status, Labels, Ports, NetworkSettings }) =>
    readContainer({
      id: Id,
      status: State,
      health: Status,
      labels: Labels ?? {},
      networks: NetworkSettings?.Networks ?? [],
      ports: [...new Set((Ports ?? []).flatMap(({ PublicPort }) => PublicPort || []))],
    }),
  )

const EngineImage = z
  .object({ Id: z.string(), Config: z.object({ Volumes: Keys, ExposedPorts: Keys }).nullish() })
  .transform(({ Id, Config }) => ({ id: Id, paths: Config?.Volumes ?? [], exposed: Config?.ExposedPorts ?? [] }))

const View = z.object({
  containers: z.array(EngineContainer),
  images: z.array(EngineImage.nullable()),
  networks: z.array(EngineNetwork),
})
