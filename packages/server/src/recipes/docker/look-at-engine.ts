// What the Engine of a server has of an environment, asked in one go and without docker: its containers, its networks and images.
import { z } from 'zod'
import { type Host, TooMuchOutput } from '../../remote/host.ts'
import type { Deployment } from '../deployment.ts'
import { EngineJson } from '../engine-json.ts'
import { type Container, listContainers, readContainer } from './containers/list-containers.ts'
import { type FoundImage, findImages } from './find-images.ts'
import { composeProjectName } from './names.ts'
import { dockerScript } from './script.ts'

export type EngineView = {
  readonly containers: readonly Container[]
  /** In the order of their names; null for what is not there. */
  readonly images: readonly (FoundImage | null)[]
  /** Names of networks that are as Compose makes them where a file says nothing of them. */
  readonly plainNetworks: ReadonlySet<string>
}

/** By docker where its Engine is not reached by a socket; what networks are like is then left to Compose. */
export async function lookAtEngine(host: Host, ids: Deployment['ids'], images: readonly string[]): Promise<EngineView> {
  const seen = await askEngine(host, ids, images)
  if (seen) return seen
  const [containers, found] = await Promise.all([listContainers(host, ids), findImages(host, images)])
  return { containers, images: found, plainNetworks: new Set() }
}

async function askEngine(
  host: Host,
  ids: Deployment['ids'],
  images: readonly string[],
): Promise<EngineView | undefined> {
  if (!images.every((image) => PLAIN_IMAGE.test(image))) return undefined
  const words = [ids.installationId, String(ids.environmentId), composeProjectName(ids), ...images]
  const printed = await host.run(dockerScript('look-at-engine', ...words)).catch((error: unknown) => {
    // Labels are as long as somebody made them; docker is told to leave them out.
    if (!(error instanceof TooMuchOutput)) throw error
    return { exitCode: 1, stdout: '' }
  })
  if (printed.exitCode !== 0) return undefined
  const lines = printed.stdout.toString().split('\n').filter(Boolean)
  const answers = lines.flatMap((json, at) => (at % 2 === 0 ? [{ json, status: lines[at + 1] }] : []))
  const [containers, networks, ...found] = answers.map(({ json, status }) =>
    status === '200' ? EngineJson.safeParse(json).data : status === '404' ? null : undefined,
  )
  const view = View.safeParse({ containers, plainNetworks: networks, images: found })
  return view.success && view.data.images.length === images.length ? view.data : undefined
}

/** No sign of it means anything in an address. */
const PLAIN_IMAGE = /^(?!.*\.\.)[a-z0-9][\w./:@-]*$/

const EngineContainer = z
  .object({
    Id: z.string(),
    State: z.string(),
    Status: z.string(),
    Labels: z.record(z.string(), z.string()).nullish(),
    Ports: z.array(z.object({ PublicPort: z.number().nullish() })).nullish(),
  })
  .transform(({ Id, State, Status, Labels, Ports }) =>
    readContainer({
      ...{ id: Id, status: State, health: Status, labels: Labels ?? {} },
      ports: [...new Set((Ports ?? []).flatMap(({ PublicPort }) => PublicPort || []))],
    }),
  )

const Keys = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((all) => Object.keys(all ?? {}))

const EngineImage = z
  .object({ Id: z.string(), Config: z.object({ Volumes: Keys, ExposedPorts: Keys }).nullish() })
  .transform(({ Id, Config }) => ({ id: Id, paths: Config?.Volumes ?? [], exposed: Config?.ExposedPorts ?? [] }))

/** Newer engines write their own defaults among the options. */
const PlainNetwork = z.object({
  ...{ Driver: z.literal('bridge'), Internal: z.literal(false), Attachable: z.literal(false) },
  ...{ EnableIPv6: z.literal(false), ConfigOnly: z.literal(false) },
  Options: z.strictObject({
    'com.docker.network.enable_ipv4': z.literal('true').optional(),
    'com.docker.network.enable_ipv6': z.literal('false').optional(),
  }),
})

const View = z.object({
  containers: z.array(EngineContainer),
  images: z.array(EngineImage.nullable()),
  plainNetworks: z
    .array(z.looseObject({ Name: z.string() }))
    .transform((all) => all.filter((network) => PlainNetwork.safeParse(network).success))
    .transform((plain) => new Set(plain.map(({ Name }) => Name))),
})
