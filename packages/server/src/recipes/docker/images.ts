// The images of a deployment: built, taken over from an earlier one, or pulled.
import { buildImages, type ComposeProject } from '../../commands/docker.ts'
import type { ComposeModel } from '../../domain/compose/model.ts'
import { imageName } from '../../domain/compose/override-for.ts'
import { CheckFailed, StepFault } from '../../domain/step-fault.ts'
import type { Host } from '../../remote/host.ts'
import type { Deployment } from '../deployment.ts'
import type { DoStep, StepIo } from '../run.ts'
import { checkDisk } from './check-disk.ts'
import { lastLine } from './containers.ts'
import { dockerScript } from './script.ts'

type Images = {
  readonly project: ComposeProject
  readonly services: readonly string[]
  /** The deployment whose images are the same; null where they must be built. */
  readonly from: number | null
  readonly folder: string
  /** The platform's on the server. */
  readonly serverFolder: string
}

/** Images of the same commit are the same: only variables can have changed, and those are not in images. */
export async function provideImages(
  step: DoStep,
  deployment: Deployment,
  { project, services, from, folder, serverFolder }: Images,
): Promise<void> {
  const isTaken =
    from !== null &&
    (await step('Take over images', async ({ host, say }) => {
      const names = services.flatMap((service) => [
        imageName({ ...deployment.ids, taskId: from }, service),
        imageName({ ...deployment.ids, taskId: deployment.taskId }, service),
      ])
      const { exitCode, stderr } = await host.run(dockerScript('tag-images', ...names))
      if (exitCode === 0) return true
      if (exitCode !== MISSING) throw CheckFailed(`Images cannot be named on ${host.name}: ${lastLine(stderr)}`)
      if (deployment.rollbackTo !== null)
        throw CheckFailed(`The images of deployment ${from} are gone from ${host.name}. Deploy its commit instead`)
      say(`Those of deployment ${from} are gone: they are built again`)
      return false
    }))
  if (isTaken) return
  await checkDisk(step, deployment, serverFolder)
  await step('Build images', (io) => build(io, { project, services, folder }))
}

const MISSING = 3

async function build(
  io: StepIo,
  { project, services, folder }: Pick<Images, 'project' | 'services' | 'folder'>,
): Promise<void> {
  try {
    await io.durably({ run: buildImages(project, services), folder, environment: new Map() })
  } catch (error) {
    if (!(error instanceof StepFault) || error.exitCode === null) throw error
    const { stdout } = await io.host.run(['tail', '-c', '16384', '--', `${folder}/output`])
    throw new StepFault('command', buildFault(stdout.toString()), { exitCode: error.exitCode })
  }
}

/** What BuildKit says last of why it could not go on. */
function buildFault(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const reason = lines.findLast((line) => /failed to solve|^target .*: /.test(line)) ?? lines.findLast(Boolean) ?? ''
  return `The images could not be built: ${reason.replace(/^.*failed to solve: /, '')}`
}

type Pulling = { readonly readModel: (host: Host) => Promise<ComposeModel>; readonly folder: string }

/** Which ones is read anew: a name may hold a variable, and no step hands such a thing on. */
export function pullImages(step: DoStep, { readModel, folder }: Pulling): Promise<void> {
  return step('Pull images', async (io) => {
    const services = [...(await readModel(io.host)).services.values()]
    const images = services.flatMap(({ build, image }) => (build === null && image !== null ? [image] : []))
    try {
      await io.durably({ run: dockerScript('pull-images', ...images), folder, environment: new Map() })
    } catch (error) {
      if (!(error instanceof StepFault) || error.exitCode === null) throw error
      const { stdout } = await io.host.run(['tail', '-c', '4096', '--', `${folder}/output`])
      const [, image = 'An image'] = /.*^Pulling ([^\n]+)$/ms.exec(stdout.toString()) ?? []
      const sentence = `${image} is missing and could not be pulled: ${lastLine(stdout)}`
      throw new StepFault('command', sentence, { exitCode: error.exitCode })
    }
  })
}
