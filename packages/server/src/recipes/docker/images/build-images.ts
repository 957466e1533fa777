// Builds the images of a compose project, those that need others after them, within the limits of the environment.
import { type BuildPlace, buildImage } from '../../../commands/docker/build-image.ts'
import { buildRounds, type ImageBuild, imageBuild } from '../../../domain/compose/image-build.ts'
import { pathsOfBuilds } from '../../../domain/compose/mounts/used-paths.ts'
import { idLabels, imageName } from '../../../domain/compose/override-for.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { writeSecretFile } from '../../../remote/write-secret-file.ts'
import { Secret } from '../../../secrets/secret.ts'
import { type Deployment, systemVariables } from '../../deployment.ts'
import type { StepIo } from '../../run.ts'
import { refuseLinks } from '../look-at-paths.ts'
import { DURABLE, type Release } from '../release.ts'
import { dockerScript } from '../script.ts'
import { type Failure, withReason } from '../with-reason.ts'
import { limitBuilds } from './build-limits.ts'
import { buildStamp } from './build-stamp.ts'

export async function buildImages(io: StepIo, deployment: Deployment, release: Release): Promise<void> {
  const { folders, checkout } = release
  const model = await release.readModel(io.host)
  await refuseLinks(io.host, checkout.folder, pathsOfBuilds(model, checkout))
  const services = [...model.services.values()].filter(({ build }) => build !== null)
  const rounds = buildRounds(services.map((service) => imageBuild(model, service)))
  for (const { service, dockerfile_inline: inline } of rounds.flat()) {
    if (inline === undefined) continue
    await writeSecretFile(io.host, folders.inlineFile(service), { content: new Secret(inline) })
  }
  const secrets = secretsFor(rounds.flat(), deployment)
  const place = placeOf(deployment, [...secrets.keys()], await findGroup(io, deployment))
  const words = rounds.flatMap((round) => [
    ...round.flatMap((build) => {
      const command = buildImage(build, { ...place, inlineFile: folders.inlineFile(build.service) })
      return [build.service, String(command.length), ...command]
    }),
    // Waits for the round.
    ...['', '0'],
  ])
  const environment = new Map([...secrets].map(([variable, value]) => [place.variableOf(variable) ?? '', value]))
  const run = dockerScript('build-images', ...words)
  const work = { run, folder: folders.step(DURABLE.build), environment }
  await withReason(io, work, { faultOf: (failure) => buildFault(failure, deployment) })
}

function placeOf(deployment: Deployment, variables: readonly string[], cgroup: string | null) {
  const ids = { ...deployment.ids, taskId: deployment.taskId }
  const stamp = buildStamp(deployment)
  return {
    imageOf: (service) => imageName(ids, service),
    labels: { ...idLabels(ids), ...(stamp === '' ? {} : { 'shipway.build': stamp }) },
    cacheToken: ids.cacheToken,
    cgroup,
    // A name of our own: the build's programs would read something into others, such as LD_PRELOAD.
    variableOf: nameIn(variables),
  } satisfies Omit<BuildPlace, 'inlineFile'>
}

const nameIn =
  (variables: readonly string[]) =>
  (variable: string): string | undefined => {
    const place = variables.indexOf(variable)
    return place < 0 ? undefined : `SHIPWAY_BUILD_SECRET_${place}`
  }

async function findGroup({ host, say }: StepIo, { ids, limits }: Deployment): Promise<string | null> {
  const found = await limitBuilds(host, ids, limits)
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

/** What BuildKit says last of why it could not go on. The script that ran the builds says last which of them failed. */
function buildFault({ said, exitCode }: Failure, { limits: { memoryBytes } }: Deployment): StepFault {
  const [, service = ''] = /^Not built: (\S+)$/.exec(lastLine(said)) ?? []
  const lines = said.split('\n').filter((line) => line.startsWith(`${service} | `))
  const reason = (lines.findLast((line) => line.includes('| ERROR: ')) ?? lines.at(-1) ?? '')
    .replace(/^\S+ \| (?:ERROR: )?(?:.*failed to solve: )?/, '')
    .trim()
  const isKilled = memoryBytes !== null && /exit code: 137|cannot allocate memory/i.test(reason)
  const hint = isKilled ? `. A build of this environment may use ${memoryBytes / 1024 ** 2} MiB of memory` : ''
  const image = service === '' ? 'The images' : `The image of ${service}`
  return new StepFault('command', `${image} could not be built: ${reason || 'see its output'}${hint}`, { exitCode })
}
