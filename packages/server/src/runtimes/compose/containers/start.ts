// Starts the services of a plan in their order, and waits until each may get requests.
import { startNewContainers } from '../../../commands/docker/compose.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import { DURABLE } from '../../../deployment/release.ts'
import type { DoStep, StepIo } from '../../../deployment/run.ts'
import type { StepTitle } from '../../../deployment/step-keys.ts'
import { composeProjectName } from '../../../domain/compose/project-name.ts'
import { needsOfAll, type Stage, startOrder } from '../../../domain/compose/start-order.ts'
import type { NamedService } from '../../../domain/service-domains.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import type { VersionCommand, VersionSteps } from '../../runtime.ts'
import type { RuntimeContext } from '../../runtime-context.ts'
import type { ContainersWithoutCompose } from '../fast-path/containers-without-compose.ts'
import type { Start } from '../plan.ts'
import type { TakenPort } from '../ports/allocate-slots.ts'
import type { ServiceStart } from '../service-start.ts'
import { type Runnable, runnableIn } from '../write-runnable.ts'
import { awaitReady } from './await-ready.ts'
import { composeUp } from './compose-up.ts'
import { type Published, publishElsewhere } from './publish-elsewhere.ts'
import { recreateService } from './recreate-service.ts'
import { restoreReplaced } from './restore-replaced.ts'
import { runCommand } from './run-command.ts'

type VersionToStart = {
  readonly deployment: Deployment
  readonly folders: Folders
  /** The routed ones. */
  readonly services: readonly NamedService[]
  readonly commands: readonly VersionCommand[]
  readonly plan: Start
  readonly withoutCompose: ContainersWithoutCompose
}

/** Returns the port of the server for each service; null where it is not routed. */
export async function startServices(
  steps: VersionSteps,
  context: Pick<RuntimeContext, 'allocateSlots'>,
  { deployment, folders, services: routed, commands, plan, withoutCompose }: VersionToStart,
): Promise<ReadonlyMap<string, number | null>> {
  const { ids } = deployment
  let published: Published = { times: 0, digest: plan.digest, ports: {} }
  const withPort = (service: ServiceStart): ServiceStart => ({
    ...service,
    // A service may be named like a member of every object, such as `constructor`.
    port: new Map(Object.entries(published.ports)).get(service.name) ?? service.port,
  })
  /** Retries with other ports where another program has taken one since they were allocated. Each attempt is a step of its own. */
  const untilPublished = async (
    starting: DoStep,
    titleOf: (again: AttemptSuffix) => StepTitle,
    work: (io: StepIo, attempt: Attempt) => Promise<readonly TakenPort[]>,
  ): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const folder = nextFolder()
      const here = { ...folders, compose: folders.composeAfter(published.times) }
      const runnable = runnableIn(here, composeProjectName(ids), published.digest)
      const again = tries === 1 ? '' : (` again ${tries}` as const)
      const next = await starting(titleOf(again), async (io) => {
        const taken = await work(io, { runnable, folder, tries, isLastTry: tries === MOST_TRIES })
        return taken.length === 0 ? null : publishElsewhere(io, { deployment, folders, published }, taken)
      })
      if (!next) return
      published = next
    }
  }
  const nextFolder = numbered(folders)
  /** Names of the containers that this run has started without Compose, by service. */
  const started = new Map<string, string>()
  const indexOf = (service: ServiceStart): number => plan.services.indexOf(service)
  const wait = (waiting: DoStep, service: ServiceStart): Promise<void> => {
    const folder = nextFolder()
    const domain = routed.find((one) => one.service.name === service.name)?.domain
    return waiting({ key: `Wait for service ${indexOf(service)}`, name: `Wait for ${service.name}` }, (io) =>
      awaitReady(io, deployment, { service: withPort(service), domain, folder, container: started.get(service.name) }),
    )
  }

  const withBack = (step: DoStep): DoStep => withWayBack(step, deployment, folders)
  const orBack = withBack(steps.start)
  let hasReplaced = false
  const startStage = async (stage: Stage<ServiceStart>): Promise<void> => {
    if (stage.type === 'recreate') {
      hasReplaced = true
      const { service } = stage
      await untilPublished(
        orBack,
        (again) => ({
          key: `Recreate service ${indexOf(service)}${again}`,
          name: `Recreate ${service.name}${again && ON_OTHER_PORT}`,
        }),
        (io, { tries: _, ...attempt }) =>
          recreateService(io, context, { deployment, service: withPort(service), folders, ...attempt }),
      )
      await wait(orBack, service)
      return
    }
    const { services, level } = stage
    const doStep = hasReplaced ? orBack : steps.start
    const names = services.map(({ name }) => name).join(', ')
    await untilPublished(
      doStep,
      (again) => ({ key: `Start level ${level}${again}`, name: `Start ${names}${again && ON_OTHER_PORT}` }),
      async (io, { runnable, folder, tries, isLastTry }) => {
        const containers = tries === 1 ? await withoutCompose.start(io, deployment, services) : undefined
        for (const [service, container] of containers ?? []) started.set(service, container)
        if (containers !== undefined) return []
        const run = runnable.guarded(startNewContainers(runnable.project, scaleOf(services)))
        return composeUp(io, context, { ids, services: services.map(withPort), run, folder, isLastTry })
      },
    )
    for (const service of services) await wait(doStep, service)
  }

  const needed = needsOfAll(
    plan.services,
    commands.map(({ service }) => service),
  )
  for (const stage of startOrder(plan.services.filter(({ name }) => needed.has(name)))) await startStage(stage)
  for (const [index, command] of commands.entries()) {
    const [number, folder] = [index + 1, nextFolder()]
    const here = { ...folders, compose: folders.composeAfter(published.times) }
    const runnable = runnableIn(here, composeProjectName(ids), published.digest)
    const doStep = hasReplaced ? withBack(steps.release) : steps.release
    await doStep({ key: `Release command ${number}`, name: command.name }, (io) =>
      runCommand(io, deployment, { command, number, runnable, folder }),
    )
  }
  for (const stage of startOrder(plan.services.filter(({ name }) => !needed.has(name)))) await startStage(stage)
  return new Map(plan.services.map(withPort).map(({ name, port }) => [name, port]))
}

/** Attempts in all: a port can be taken after each check of the server. */
const MOST_TRIES = 4
const ON_OTHER_PORT = ' on another port'
type AttemptSuffix = '' | ` again ${number}`
type Attempt = {
  readonly runnable: Runnable
  readonly folder: string
  readonly tries: number
  readonly isLastTry: boolean
}

/** Returns the folders of durable steps in order. A folder is numbered before its step, also where that is replayed. */
function numbered(folders: Folders): () => string {
  let next: number = DURABLE.firstStart
  return () => folders.step(next++)
}

const scaleOf = (services: readonly ServiceStart[]): ReadonlyMap<string, number> =>
  new Map(services.map(({ name, hasContainer }) => [name, hasContainer ? 2 : 1]))

/** A failed step restores every container that the deployment has replaced. After a cancel the clean-up does that. */
function withWayBack(step: DoStep, { ids, servingTaskId, keptOutput }: Deployment, folders: Folders): DoStep {
  return (title, work) =>
    step(title, async (io) => {
      try {
        return await work(io)
      } catch (error) {
        if (error instanceof StepFault && !io.signal.aborted) {
          const environment = { ...ids, folder: folders.environment, keptOutput }
          for (const { sentence } of await restoreReplaced(io.host, environment, servingTaskId)) io.say(sentence)
        }
        throw error
      }
    })
}
