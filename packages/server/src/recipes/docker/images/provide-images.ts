// The images of a deployment: built, taken over from an earlier one, or pulled.
import type { ComposeModel } from '../../../domain/compose/model.ts'
import { imageName } from '../../../domain/compose/override-for.ts'
import { CheckFailed, StepFault } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import type { Deployment } from '../../deployment.ts'
import type { DoStep } from '../../run.ts'
import { dockerScript } from '../script.ts'
import { withReason } from '../with-reason.ts'
import { type Building, buildImages } from './build-images.ts'
import { checkDisk } from './check-disk.ts'

type Images = Building & {
  readonly services: readonly string[]
  /** The deployment whose images are the same; null where they must be built. */
  readonly from: number | null
  /** The platform's on the server. */
  readonly serverFolder: string
}

/** Images of the same commit are the same: only variables can have changed, and those are not in images. */
export async function provideImages(
  step: DoStep,
  deployment: Deployment,
  { services, from, serverFolder, ...building }: Images,
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
  await step('Build images', (io) => buildImages(io, deployment, building))
}

const MISSING = 3

type Pulling = { readonly readModel: (host: Host) => Promise<ComposeModel>; readonly folder: string }

/** Which ones is read anew: a name may hold a variable, and no step hands such a thing on. */
export function pullImages(step: DoStep, { readModel, folder }: Pulling): Promise<void> {
  return step('Pull images', async (io) => {
    const services = [...(await readModel(io.host)).services.values()]
    const images = services.flatMap(({ build, image }) => (build === null && image !== null ? [image] : []))
    const work = { run: dockerScript('pull-images', ...images), folder }
    await withReason(io, work, {
      faultOf: ({ said, exitCode }) => {
        const [, image = 'An image'] = /.*^Pulling ([^\n]+)$/ms.exec(said) ?? []
        const sentence = `${image} is missing and could not be pulled: ${lastLine(said)}`
        return new StepFault('command', sentence, { exitCode })
      },
    })
  })
}
