// Pushes the images of a release to the registry of its Swarm. Its nodes pull them from there, by digest.
import { z } from 'zod'
import type { Registry } from '../../../deployment/registry.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { withReason } from '../../../deployment/with-reason.ts'
import { dockerHub, registryOf } from '../../../domain/compose/registries.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../remote/last-line.ts'
import type { RegistryAccess } from '../../../secrets/registry/registry-keys.ts'
import { Secret } from '../../../secrets/secret.ts'
import { prepareRegistry, REGISTRY_PORT } from './prepare-registry.ts'
import { registryFolder, registryScript } from './registry-script.ts'

export type ImagesToPush = {
  readonly taskId: number
  readonly installationId: string
  /** Names on the server, by service. */
  readonly images: ReadonlyMap<string, string>
  /** Of the durable step. */
  readonly folder: string
}

/** A step hands it on as plain JSON. */
export type PushedImages = {
  /** `192.0.2.1:5443`, or what the organization named. */
  readonly registry: string
  /** `sha256:…`, by service. */
  readonly digests: Readonly<Record<string, string>>
}

export async function pushImages(
  io: StepIo,
  registry: Registry,
  { images, taskId, installationId, folder }: ImagesToPush,
): Promise<PushedImages> {
  const at = registry.type === 'named' ? registry.address : await prepareRegistry(io.host, registry, installationId)
  const tags = new Map([...new Set(images.values())].map((image, index) => [image, `r${taskId}-${index + 1}`]))
  const lock = registry.type === 'named' ? '-' : `${registryFolder(installationId)}/lock`
  const words = [...tags].flatMap(([image, tag]) => [tag, image])
  const work = {
    run: registryScript('push-images', `${at}/${registry.repository}`, lock, ...words),
    folder,
    environment: new Map([['SHIPWAY_REGISTRY', signInSettings(registry, at, 'push')]]),
  }
  await withReason(io, work, {
    faultOf: ({ said, exitCode }) =>
      new StepFault('command', `Images could not be pushed to ${at}: ${reasonOf(said)}`, { exitCode }),
  })
  const { stdout } = await io.host.run(['cat', '--', `${folder}/digests`])
  const digests = new Map(stdout.toString().trim().split('\n').map(parseDigest))
  const ofServices = [...images].map(([service, image]) => [service, digests.get(tags.get(image) ?? '')] as const)
  return { registry: at, digests: Digests.parse(Object.fromEntries(ofServices)) }
}

const Digests = z.record(z.string(), z.string().regex(/^sha256:[0-9a-f]{64}$/))

const parseDigest = (line: string): readonly [tag: string, digest: string] => {
  const [tag = '', digest = ''] = line.split(' ')
  return [tag, digest]
}

/** Docker says in a certificate's words that the machine does not trust the registry of its own manager. */
function reasonOf(said: string): string {
  const reason = lastLine(said)
  if (!/x509:/.test(said)) return reason
  return `${reason}. If it is the registry that the set-up has installed, run the set-up on the manager again`
}

export const imageOf = ({ repository }: Registry, { registry, digests }: PushedImages, service: string): string =>
  `${registry}/${repository}@${digests[service]}`

/** The text of a `config.json` for docker: what lets the nodes pull, with `--with-registry-auth`. */
export const pullSettings = (registry: Registry, pushed: PushedImages): Secret =>
  signInSettings(registry, pushed.registry, 'pull')

/**
 * What lets a node pull this image of an environment, as the Engine reads it. Empty where another registry has it than the one in use: the
 * password of one is never sent to another.
 */
export function pullAuth(registry: Registry, image: string): Secret {
  const [address = '', rest] = image.split(`/${registry.repository}@`)
  const isInUse = registry.type === 'named' ? address === registry.address : address.endsWith(`:${REGISTRY_PORT}`)
  if (rest === undefined || !isInUse) return new Secret('')
  const own =
    registry.type === 'named'
      ? {
          username: registry.username,
          password: registry.password.reveal(),
          serveraddress: signInAddress(registry.address),
        }
      : { registrytoken: registry.signToken('pull').reveal() }
  return new Secret(Buffer.from(JSON.stringify(own)).toString('base64url'))
}

/** As docker calls it. */
const signInAddress = (at: string): string => registryOf(`${at}/any`) ?? dockerHub

function signInSettings(registry: Registry, at: string, access: RegistryAccess): Secret {
  return new Secret(JSON.stringify({ auths: { [signInAddress(at)]: signIn(registry, access) } }))
}

function signIn(registry: Registry, access: RegistryAccess): object {
  if (registry.type === 'manager') return { registrytoken: registry.signToken(access).reveal() }
  const { username, password } = registry
  return { auth: Buffer.from(`${username}:${password.reveal()}`).toString('base64') }
}
