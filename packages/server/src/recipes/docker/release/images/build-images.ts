// Builds the images of a compose project, those that need others after them, within the limits of the environment.
//
// BuildKit builds each image with a command of its own: Compose cannot put a build into the cgroup with the environment's limits. That cgroup
// keeps one name for the environment's life, since BuildKit's cache depends on it.
import { type BuildSettings, buildImage } from '../../../../commands/docker/build-image.ts'
import { dockerScript } from '../../../../commands/docker/script.ts'
import { type Deployment, systemVariables } from '../../../../deployment/deployment.ts'
import { DURABLE, type Release } from '../../../../deployment/release.ts'
import type { StepIo } from '../../../../deployment/run.ts'
import { type Failure, withReason } from '../../../../deployment/with-reason.ts'
import { buildRounds, dockerfileOf, type ImageBuild, imageBuild } from '../../../../domain/compose/image-build.ts'
import { pathsOfBuilds } from '../../../../domain/compose/mounts/used-paths.ts'
import { idLabels, imageName } from '../../../../domain/compose/override-for.ts'
import { likelyRegistries, registriesOfCaches } from '../../../../domain/compose/registries.ts'
import { type DeniedSource, deniedSource, sourcePolicy } from '../../../../domain/compose/source-policy.ts'
import { CheckFailed, StepFault } from '../../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../../remote/last-line.ts'
import { writeSecretFile } from '../../../../remote/write-secret-file.ts'
import type { Runtime } from '../../../../runtimes/runtime.ts'
import { Secret } from '../../../../secrets/secret.ts'
import type { RecipeContext } from '../../../recipe-context.ts'
import { refuseLinks } from '../inspect-paths.ts'
import { buildStamp } from './build-stamp.ts'
import { type CheckedRegistries, checkRegistries, refusedRegistry } from './check-registries.ts'

type Attempt = {
  readonly deployment: Deployment
  readonly release: Release
  /** Registries that earlier attempts came upon, one each: they have to be checked first. */
  readonly unknown: readonly string[]
  readonly readDockerfile: (path: string) => Promise<string>
}

/** Returns a registry to check before the next attempt; null once all images are built. */
export async function buildImages(
  io: StepIo,
  { runtime }: Pick<RecipeContext, 'runtime'>,
  { deployment, release, unknown, readDockerfile }: Attempt,
): Promise<string | null> {
  const { folders, checkout } = release
  const model = await release.readModel(io.host)
  await refuseLinks(io.host, checkout.folder, pathsOfBuilds(model, checkout))
  const services = [...model.services.values()].filter(({ build }) => build !== null)
  const rounds = buildRounds(services.map((service) => imageBuild(model, service)))
  for (const { service, dockerfile_inline: inline } of rounds.flat()) {
    if (inline === undefined) continue
    await writeSecretFile(io.host, folders.inlineFile(service), { content: new Secret(inline) })
  }
  const builds = rounds.flat()
  const checked = await checkSources(io, deployment, { builds, unknown, readDockerfile })
  const secrets = secretsFor(builds, deployment)
  const settings = settingsOf(deployment, [...secrets.keys()], await findGroup(io, runtime, deployment))
  const words = rounds.flatMap((round) => [
    ...round.flatMap((build) => {
      const command = buildImage(build, { ...settings, inlineFile: folders.inlineFile(build.service) })
      return [build.service, String(command.length), ...command]
    }),
    // Waits for the round.
    ...['', '0'],
  ])
  const environment = new Map([...secrets].map(([variable, value]) => [settings.variableOf(variable) ?? '', value]))
  const policy = sourcePolicy({ grants: deployment.grants, registries: checked.allowed })
  const run = dockerScript('build-images', policy, folders.policyProof, ...words)
  const work = {
    run,
    folder: folders.step(unknown.length === 0 ? DURABLE.build : REBUILDS + unknown.length),
    environment,
  }
  try {
    await withReason(io, work, { faultOf: (failure) => buildFault(failure, deployment, checked) })
    return null
  } catch (error) {
    if (!(error instanceof UnknownRegistry) || unknown.length >= MOST_REBUILDS) throw error
    io.say(`${error.registry} is looked up before anything is taken from there. Then the images are built again`)
    return error.registry
  }
}

/** Their durable steps come after all others. */
const REBUILDS = 10_000
const MOST_REBUILDS = 5

/** A build pulls from a registry that its files do not name. */
class UnknownRegistry extends StepFault {
  readonly registry: string

  constructor(sentence: string, registry: string) {
    super('check', sentence)
    this.registry = registry
  }
}

async function checkSources(
  { host }: StepIo,
  deployment: Deployment,
  {
    builds,
    unknown,
    readDockerfile,
  }: Pick<Attempt, 'unknown' | 'readDockerfile'> & {
    readonly builds: readonly ImageBuild[]
  },
): Promise<CheckedRegistries> {
  const files = await Promise.all(builds.map((build) => build.dockerfile_inline ?? readDockerfile(dockerfileOf(build))))
  const caches = registriesOfCaches(builds)
  const registries = [...new Set([...unknown, ...caches, ...likelyRegistries(builds, files)])]
  const checked = await checkRegistries(host, registries, deployment)
  for (const registry of caches) {
    const fault = checked.refused.get(registry)
    if (fault !== undefined) throw CheckFailed(refusedRegistry('cache_from takes an image', registry, fault))
  }
  return checked
}

function settingsOf(deployment: Deployment, variables: readonly string[], cgroup: string | null) {
  const ids = { ...deployment.ids, taskId: deployment.taskId }
  const stamp = buildStamp(deployment)
  return {
    imageOf: (service) => imageName(ids, service),
    labels: { ...idLabels(ids), ...(stamp === '' ? {} : { 'shipway.build': stamp }) },
    cacheToken: ids.cacheToken,
    cgroup,
    // A name of our own: the build's programs would read something into others, such as LD_PRELOAD.
    variableOf: nameIn(variables),
  } satisfies Omit<BuildSettings, 'inlineFile'>
}

const nameIn =
  (variables: readonly string[]) =>
  (variable: string): string | undefined => {
    const index = variables.indexOf(variable)
    return index < 0 ? undefined : `SHIPWAY_BUILD_SECRET_${index}`
  }

async function findGroup({ host, say }: StepIo, runtime: Runtime, { ids, limits }: Deployment): Promise<string | null> {
  const found = await runtime.limitBuilds(host, ids, limits)
  if (found && 'reason' in found) say(`${host.name} cannot limit what builds use: ${found.reason}`)
  return found && 'cgroup' in found ? found.cgroup : null
}

/** The values of the variables that build secrets are taken from, where there are such. */
function secretsFor(builds: readonly ImageBuild[], deployment: Deployment): ReadonlyMap<string, Secret | string> {
  const all = new Map<string, Secret | string>([...deployment.variables, ...systemVariables(deployment)])
  const wanted = builds.flatMap(({ secrets }) =>
    secrets.flatMap((secret) => ('variable' in secret ? [secret.variable] : [])),
  )
  return new Map([...all].filter(([key]) => wanted.includes(key)))
}

/** Takes the reason from the last error of BuildKit. The last line of the script names the build that failed. */
function buildFault(
  { said, exitCode }: Failure,
  { limits: { memoryBytes } }: Deployment,
  checked: CheckedRegistries,
): StepFault {
  if (lastLine(said) === 'No policy') return noPolicy(said)
  const [, service = ''] = /^Not built: (\S+)$/.exec(lastLine(said)) ?? []
  const lines = said.split('\n').filter((line) => line.startsWith(`${service} | `))
  const reason = (lines.findLast((line) => line.includes('| ERROR: ')) ?? lines.at(-1) ?? '')
    .replace(/^\S+ \| (?:ERROR: )?(?:.*failed to solve: )?/, '')
    .trim()
  const image = service === '' ? 'The images' : `The image of ${service}`
  const denied = deniedSource(reason)
  if (denied) return deniedFault(image, denied, checked)
  const isKilled = memoryBytes !== null && /exit code: 137|cannot allocate memory/i.test(reason)
  const hint = isKilled ? `. A build of this environment may use ${memoryBytes / 1024 ** 2} MiB of memory` : ''
  return new StepFault('command', `${image} could not be built: ${reason || 'see its output'}${hint}`, { exitCode })
}

function deniedFault(image: string, denied: DeniedSource, { refused }: CheckedRegistries): StepFault {
  if (denied.type === 'remote') return CheckFailed(`${image} could not be built: ${remoteSource(denied.source)}`)
  const fault = refused.get(denied.registry)
  if (fault !== undefined) return CheckFailed(refusedRegistry(`${image} is built`, denied.registry, fault))
  return new UnknownRegistry(`${image} is built from too many registries that its files do not name`, denied.registry)
}

const remoteSource = (source: string): string =>
  `it fetches ${source} itself, in the network of the server, where builds may fetch nothing. Fetch it in RUN, with curl or git. ` +
  'An organization owner can grant "remote_build_sources" to this environment'

function noPolicy(said: string): StepFault {
  const [docker = ''] = said.trimEnd().split('\n').slice(-2)
  return CheckFailed(
    'Docker on the server does not obey source policies, so builds could read what is not theirs. ' +
      `Install Docker Engine 24 and Buildx 0.11 or newer there. A build that must be refused ended with: ${docker}`,
  )
}
