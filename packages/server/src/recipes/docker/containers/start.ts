// Starts the services of a plan in their order, and waits until each may get requests.
import { startBeside } from '../../../commands/docker/compose.ts'
import { startOrder } from '../../../domain/compose/start-order.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import type { Deployment } from '../../deployment.ts'
import type { Doors } from '../../doors.ts'
import type { Folders } from '../../folders.ts'
import type { NamedService } from '../../prepare.ts'
import type { DoStep } from '../../run.ts'
import { composeProjectName } from '../names.ts'
import type { Start } from '../plan.ts'
import { DURABLE } from '../release.ts'
import type { ServiceStart } from '../service-start.ts'
import { runnableIn } from '../write-runnable.ts'
import { awaitReady } from './await-ready.ts'
import { bringAllBack } from './bring-back.ts'
import { composeUp } from './compose-up.ts'
import { recreateService } from './recreate-service.ts'
import type { RequestedContainers } from './requested-containers.ts'
import { startRequested } from './start-requested.ts'

type Starting = {
  readonly deployment: Deployment
  readonly folders: Folders
  /** The routed ones. */
  readonly services: readonly NamedService[]
  readonly plan: Start
  readonly requested: RequestedContainers
}

export async function startServices(
  step: DoStep,
  doors: Pick<Doors, 'allotSlots'>,
  { deployment, folders, services: routed, plan, requested }: Starting,
): Promise<void> {
  const { ids } = deployment
  const runnable = runnableIn(folders, composeProjectName(ids), plan.digest)
  const nextFolder = numbered(folders)
  /** Names of the containers that this run has started without Compose, by service. */
  const started = new Map<string, string>()
  const placeOf = (service: ServiceStart): number => plan.services.indexOf(service)
  const wait = (waiting: DoStep, service: ServiceStart): Promise<void> => {
    const folder = nextFolder()
    const domain = routed.find((one) => one.service.name === service.name)?.domain
    return waiting({ key: `Wait for service ${placeOf(service)}`, name: `Wait for ${service.name}` }, (io) =>
      awaitReady(io, deployment, { service, domain, folder, container: started.get(service.name) }),
    )
  }

  const orBack = withWayBack(step, deployment, folders)
  let hasReplaced = false
  for (const stage of startOrder(plan.services)) {
    const folder = nextFolder()
    if (stage.type === 'recreate') {
      hasReplaced = true
      const { service } = stage
      await orBack({ key: `Recreate service ${placeOf(service)}`, name: `Recreate ${service.name}` }, (io) =>
        recreateService(io, doors, { deployment, service, runnable, folders, folder }),
      )
      await wait(orBack, service)
      continue
    }
    const { services, level } = stage
    const doStep = hasReplaced ? orBack : step
    const run = runnable.guarded(startBeside(runnable.project, scaleOf(services)))
    const names = services.map(({ name }) => name).join(', ')
    await doStep({ key: `Start level ${level}`, name: `Start ${names}` }, async (io) => {
      const containers = await startRequested(io, deployment, { services, requested })
      for (const [service, container] of containers ?? []) started.set(service, container)
      if (containers === undefined) await composeUp(io, doors, { ids, services, run, folder })
    })
    for (const service of services) await wait(doStep, service)
  }
}

/** Gives the folders of durable steps in order. Each is taken before its step, whether or not that is done again. */
function numbered(folders: Folders): () => string {
  let next: number = DURABLE.firstStart
  return () => folders.step(next++)
}

const scaleOf = (services: readonly ServiceStart[]): ReadonlyMap<string, number> =>
  new Map(services.map(({ name, hasContainer }) => [name, hasContainer ? 2 : 1]))

/** A step that fails brings back whatever the deployment has replaced so far. One that is canceled leaves that to the clean-up. */
function withWayBack(step: DoStep, { ids, servingTaskId, keptOutput }: Deployment, folders: Folders): DoStep {
  return (title, work) =>
    step(title, async (io) => {
      try {
        return await work(io)
      } catch (error) {
        if (error instanceof StepFault && !io.signal.aborted) {
          const place = { ...ids, folder: folders.environment, keptOutput }
          for (const { sentence } of await bringAllBack(io.host, place, servingTaskId)) io.say(sentence)
        }
        throw error
      }
    })
}
