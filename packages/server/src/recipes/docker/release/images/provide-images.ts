// Provides the images of a deployment: builds them, reuses those of an earlier deployment, or pulls them.
import { posix } from 'node:path'
import { dockerScript } from '../../../../commands/docker/script.ts'
import type { Deployment } from '../../../../deployment/deployment.ts'
import type { Prefetch } from '../../../../deployment/prefetch.ts'
import { DURABLE, type Release } from '../../../../deployment/release.ts'
import type { DoStep, StepIo } from '../../../../deployment/run.ts'
import { withReason } from '../../../../deployment/with-reason.ts'
import { imageName } from '../../../../domain/compose/override-for.ts'
import { registryOf } from '../../../../domain/compose/registries.ts'
import { CheckFailed, ChecksFailed, StepFault } from '../../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../../remote/last-line.ts'
import { commitFileReader } from '../../../prepare/commit-file.ts'
import { ensureCommit } from '../../../prepare/prepare.ts'
import type { RecipeContext } from '../../../recipe-context.ts'
import type { Checked } from '../check-compose-files.ts'
import { buildImages } from './build-images.ts'
import { buildStamp } from './build-stamp.ts'
import { checkDisk } from './check-disk.ts'
import { checkRegistries, refusedRegistry } from './check-registries.ts'

type Images = {
  readonly deployment: Deployment
  readonly sha: string
  readonly checked: Pick<Checked, 'built' | 'isPulled'>
  readonly release: Release
  readonly freeDisk: Prefetch<number>
  /** Started beside the first work on images. */
  readonly networks: Pick<Prefetch<unknown>, 'start' | 'finished'>
}

/** A failure waits for the networks: nothing may be made after the task has ended. */
export async function provideImages(step: DoStep, context: RecipeContext, images: Images): Promise<void> {
  try {
    await provideAll(step, context, images)
  } catch (error) {
    await images.networks.finished()
    throw error
  }
}

async function provideAll(
  step: DoStep,
  context: RecipeContext,
  { deployment, sha, checked, release, freeDisk, networks }: Images,
): Promise<void> {
  const { built, isPulled } = checked
  const from = sameImages(deployment, sha)
  const isTaken =
    built.length > 0 &&
    from !== null &&
    (await step('Take over images', (io) => {
      networks.start(io)
      return takeOverImages(io, deployment, { built, from })
    }))
  if (built.length > 0 && !isTaken) {
    const room = { folder: release.folders.server, leastMebibytes: deployment.leastDiskMebibytes, freeDisk }
    await step('Check the disk', (io) => checkDisk(io, context, room))
    const readDockerfile = dockerfileReader(commitFileReader(context, { deployment, sha }), release)
    for (let unknown: readonly string[] = []; ; ) {
      const attempt = { unknown, readDockerfile }
      const next = await step('Build images', async (io) => {
        networks.start(io)
        await ensureCommit(io, context, { deployment, sha })
        return buildImages(io, context, { deployment, release, ...attempt })
      })
      if (next === null) break
      unknown = [...unknown, next]
    }
  }
  if (isPulled)
    await step('Pull images', (io) => {
      networks.start(io)
      return pullImages(io, deployment, release)
    })
}

/** Reads a missing or unreadable file as empty: the build itself reports it. */
function dockerfileReader(read: ReturnType<typeof commitFileReader>, { checkout }: Release) {
  return async (path: string): Promise<string> => {
    const content = await read(posix.relative(checkout.folder, path))
    return Buffer.isBuffer(content) ? content.toString() : ''
  }
}

/** The deployment of the same commit. Its images may have been built with other variables, which their stamp tells. */
function sameImages({ rollbackTo, live }: Deployment, sha: string): number | null {
  return rollbackTo ?? (live?.commitSha === sha ? live.taskId : null)
}

/** False where they are gone and have to be built. */
async function takeOverImages(
  { host, say }: StepIo,
  deployment: Deployment,
  { built, from }: { readonly built: readonly string[]; readonly from: number },
): Promise<boolean> {
  const { ids, taskId, rollbackTo } = deployment
  const names = built.flatMap((service) => [
    imageName({ ...ids, taskId: from }, service),
    imageName({ ...ids, taskId }, service),
  ])
  const { exitCode, stderr } = await host.run(
    dockerScript('tag-images', rollbackTo === null ? buildStamp(deployment) : 'any', ...names),
  )
  if (exitCode === 0) return true
  if (exitCode !== MISSING) throw CheckFailed(`Images cannot be named on ${host.name}: ${lastLine(stderr)}`)
  if (rollbackTo !== null)
    throw CheckFailed(`The images of deployment ${from} are gone from ${host.name}. Deploy its commit instead`)
  say(`Those of deployment ${from} are gone, or were built with other variables: they are built again`)
  return false
}

const MISSING = 3

/** Reads the names of the images again: they may contain variables, which no step may hand on. */
async function pullImages(io: StepIo, deployment: Deployment, { readModel, folders }: Release): Promise<void> {
  const services = [...(await readModel(io.host)).services.values()]
  const images = services.flatMap(({ build, image }) => (build === null && image !== null ? [image] : []))
  await checkImages(io, images, deployment)
  const work = { run: dockerScript('pull-images', ...images), folder: folders.step(DURABLE.pull) }
  await withReason(io, work, {
    faultOf: ({ said, exitCode }) => {
      const last = said.split('\n').findLast((line) => line.startsWith(PULLING))
      const image = last?.slice(PULLING.length) || 'An image'
      const sentence = `${image} is missing and could not be pulled: ${lastLine(said)}`
      return new StepFault('command', sentence, { exitCode })
    },
  })
}

/** Written before each image. */
const PULLING = 'Pulling '

async function checkImages({ host }: StepIo, images: readonly string[], deployment: Deployment): Promise<void> {
  const registries = new Map(images.map((image) => [image, registryOf(image)]))
  const named = [...new Set(registries.values())].filter((registry) => registry !== null)
  const { refused } = await checkRegistries(host, named, deployment)
  const faults = [...registries].flatMap(([image, registry]) => {
    const fault = registry === null ? undefined : refused.get(registry)
    return registry === null || fault === undefined ? [] : [refusedRegistry(`${image} comes`, registry, fault)]
  })
  if (faults.length > 0) throw ChecksFailed(faults)
}
