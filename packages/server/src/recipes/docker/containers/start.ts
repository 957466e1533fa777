// Starts the services of a plan, lower levels first, each beside what serves, and waits until it may get requests.
import { recreate, startBeside } from '../../../commands/docker/compose.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import type { Deployment } from '../../deployment.ts'
import type { Folders } from '../../folders.ts'
import type { DoStep, StepIo } from '../../run.ts'
import { replaceTaken } from '../allot-slots.ts'
import type { ServiceStart } from '../plan.ts'
import { dockerScript } from '../script.ts'
import { withReason } from '../with-reason.ts'
import type { Runnable } from '../write-runnable.ts'
import { bringAllBack } from './bring-back.ts'
import { definitionFile, keepDefinition } from './definition.ts'
import { type Container, listContainers } from './list-containers.ts'
import { whyNotReady } from './why-not-ready.ts'

type Starting = {
  readonly deployment: Deployment
  readonly runnable: Runnable
  readonly plan: readonly ServiceStart[]
  /** By service; absent for those that are not routed. */
  readonly domains: ReadonlyMap<string, string>
  readonly folders: Folders
  /** A folder for the next durable step. */
  readonly nextFolder: () => string
}

export async function startServices(step: DoStep, starting: Starting): Promise<void> {
  const { plan } = starting
  const isReplaced = ({ mode, hasContainer }: ServiceStart): boolean => mode === 'in_place' && hasContainer
  const fresh = plan.filter((service) => service.mode !== 'unchanged' && !isReplaced(service))
  for (const level of new Set(fresh.map((service) => service.level))) {
    const services = fresh.filter((service) => service.level === level)
    await startThem(step, starting, services)
    for (const service of services) await awaitReady(step, starting, service)
  }
  // Whatever could run twice is ready now: those that cannot are away for as short as can be.
  const orBack = withWayBack(step, starting)
  for (const service of plan.filter(isReplaced)) {
    await recreateIt(orBack, starting, service)
    await awaitReady(orBack, starting, service)
  }
}

async function startThem(
  step: DoStep,
  { deployment, runnable, nextFolder }: Starting,
  services: readonly ServiceStart[],
): Promise<void> {
  const folder = nextFolder()
  const level = services[0]?.level ?? 0
  const scale = new Map(services.map(({ name, hasContainer }) => [name, hasContainer ? 2 : 1]))
  const title = { key: `Start level ${level}`, name: `Start ${services.map(({ name }) => name).join(', ')}` } as const
  const run = runnable.guarded(startBeside(runnable.project, scale))
  await step(title, (io) => up(io, { run, folder, deployment, services }))
}

/** A step that fails brings back whatever the deployment has replaced so far. One that is canceled leaves that to the clean-up. */
function withWayBack(step: DoStep, { deployment, folders }: Starting): DoStep {
  return (title, work) =>
    step(title, async (io) => {
      try {
        return await work(io)
      } catch (error) {
        if (error instanceof StepFault && !io.signal.aborted) {
          const place = { ...deployment.ids, folder: folders.environment }
          for (const { sentence } of await bringAllBack(io.host, place, deployment.servingTaskId)) io.say(sentence)
        }
        throw error
      }
    })
}

async function recreateIt(step: DoStep, starting: Starting, service: ServiceStart): Promise<void> {
  const { deployment, runnable, plan, folders, nextFolder } = starting
  const folder = nextFolder()
  const title = { key: `Recreate service ${plan.indexOf(service)}`, name: `Recreate ${service.name}` } as const
  await step(title, async (io) => {
    io.say(`${service.name} cannot run twice (${service.whyInPlace}): it is away until its new container has started`)
    const serving = (await listContainers(io.host, deployment.ids)).find(
      ({ service: name, task, status }) =>
        name === service.name && task <= (deployment.servingTaskId ?? 0) && status !== 'created',
    )
    if (serving && service.isWholeByDefinition)
      await keepDefinition(io.host, serving.id, definitionFile(folders.replaced, service.name))
    const run = runnable.guarded(recreate(runnable.project, service.name))
    await up(io, { run, folder, deployment, services: [service] })
  })
}

type Up = Pick<Starting, 'deployment'> & {
  readonly run: ReturnType<typeof recreate>
  readonly folder: string
  readonly services: readonly ServiceStart[]
}

async function up(io: StepIo, { run, folder, deployment, services }: Up): Promise<void> {
  await withReason(
    io,
    { run, folder },
    {
      faultOf: async ({ said, exitCode }) => {
        const taken = await replaceTaken(io, deployment, { services, said })
        const advice = taken.length > 0 ? `. Something else has the port of ${taken.join(', ')}: deploy again` : ''
        return new StepFault('command', `Docker Compose could not start it: ${lastLine(said)}${advice}`, { exitCode })
      },
    },
  )
}

async function awaitReady(step: DoStep, starting: Starting, service: ServiceStart): Promise<void> {
  const { deployment, domains, plan, nextFolder } = starting
  const folder = nextFolder()
  const { name, gate, port, health } = service
  await step({ key: `Wait for service ${plan.indexOf(service)}`, name: `Wait for ${name}` }, async (io) => {
    const { ids, taskId, readySeconds: seconds } = deployment
    const words = [ids.installationId, String(ids.environmentId), String(taskId), name]
    const gated = [gate, String(port ?? 0), health, domains.get(name) ?? '127.0.0.1', String(seconds)]
    const run = dockerScript('wait-until-ready', ...words, ...gated)
    await withReason(
      io,
      { run, folder, timeoutMs: (seconds + 60) * 1000 },
      {
        from: 'start',
        faultOf: async (failure) =>
          whyNotReady(service, { ...failure, seconds, container: await findContainer(io.host, deployment, name) }),
      },
    )
  })
}

async function findContainer(host: Host, { ids, taskId }: Deployment, service: string): Promise<Container | undefined> {
  const containers = await listContainers(host, ids)
  return containers.find((container) => container.service === service && container.task === taskId)
}
