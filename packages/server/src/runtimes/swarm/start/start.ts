// Starts the services of a plan in their order, and waits until each may get requests.
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import { DURABLE } from '../../../deployment/release.ts'
import type { DoStep, StepIo } from '../../../deployment/run.ts'
import { needsOfAll, type Stage, startOrder } from '../../../domain/compose/start-order.ts'
import type { NamedService } from '../../../domain/service-domains.ts'
import { stackName } from '../../../domain/swarm/stack-names.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { lastLine } from '../../../remote/last-line.ts'
import type { VersionCommand, VersionSteps } from '../../runtime.ts'
import { NOT_STARTED, runJob } from '../jobs/run-job.ts'
import { restoreReplaced } from '../removal/restore-replaced.ts'
import { awaitReady } from './await-ready.ts'
import type { ServiceStart, SwarmPlan } from './plan.ts'
import { commandKey, stackFolder } from './stack-folder.ts'

type VersionToStart = {
  readonly deployment: Deployment
  readonly folders: Folders
  /** The routed ones. */
  readonly services: readonly NamedService[]
  readonly commands: readonly VersionCommand[]
  readonly plan: SwarmPlan
}

export async function startServices(
  steps: VersionSteps,
  { deployment, folders, services: routed, commands, plan }: VersionToStart,
): Promise<void> {
  const withBack = (step: DoStep): DoStep => withWayBack(step, deployment)
  const orBack = withBack(steps.start)
  const placeOf = (service: ServiceStart): number => plan.services.indexOf(service)
  const deploy = (io: StepIo, service: ServiceStart): Promise<void> =>
    deployService(io, deployment, { folders, file: String(placeOf(service)), swarmName: service.swarmName })
  let hasReplaced = false
  const wait = (waiting: DoStep, service: ServiceStart): Promise<void> => {
    const domain = routed.find((one) => one.service.name === service.name)?.domain
    return waiting({ key: `Wait for service ${placeOf(service)}`, name: `Wait for ${service.name}` }, (io) =>
      awaitReady(io, deployment, { service, domain }),
    )
  }
  const startStage = async (stage: Stage<ServiceStart>): Promise<void> => {
    if (stage.type === 'recreate') {
      hasReplaced = true
      const { service } = stage
      await orBack({ key: `Recreate service ${placeOf(service)}`, name: `Update ${service.name}` }, (io) => {
        io.say(
          `${service.name} cannot run twice (${service.whyInPlace}): it is away until its new container has started`,
        )
        return deploy(io, service)
      })
      await wait(orBack, service)
      return
    }
    const { services, level } = stage
    const doStep = hasReplaced ? orBack : steps.start
    const names = services.map(({ name }) => name).join(', ')
    await doStep({ key: `Start level ${level}`, name: `Start ${names}` }, async (io) => {
      for (const service of services) await deploy(io, service)
    })
    for (const service of services) await wait(doStep, service)
  }
  const needed = needsOfAll(
    plan.services,
    commands.map(({ service }) => service),
  )
  for (const stage of startOrder(plan.services.filter(({ name }) => needed.has(name)))) await startStage(stage)
  for (const [index, command] of commands.entries()) {
    const number = index + 1
    const doStep = hasReplaced ? withBack(steps.release) : steps.release
    await doStep({ key: `Release command ${number}`, name: command.name }, (io) =>
      runCommand(io, deployment, { command, number, folders }),
    )
  }
  for (const stage of startOrder(plan.services.filter(({ name }) => !needed.has(name)))) await startStage(stage)
}

type StackService = { readonly folders: Folders; readonly file: string; readonly swarmName: string }

/** May be repeated: what this task has deployed stays as it is. */
async function deployService(
  { host }: Pick<StepIo, 'host'>,
  { ids, taskId }: Deployment,
  { folders, file, swarmName }: StackService,
): Promise<void> {
  const folder = stackFolder(folders)
  const words = [`${folder}/${file}.json`, `${folder}/pull`, stackName(ids), swarmName, String(taskId)]
  const { exitCode, stderr } = await host.run(dockerScript('deploy-service', ...words))
  if (exitCode !== 0) throw new StepFault('command', `The Swarm could not start it: ${lastLine(stderr)}`, { exitCode })
}

type CommandRun = {
  readonly command: VersionCommand
  /** Of the commands of the task. */
  readonly number: number
  readonly folders: Folders
}

async function runCommand(io: StepIo, deployment: Deployment, { command, number, folders }: CommandRun): Promise<void> {
  const { name, timeoutMs } = command
  const swarmName = `${stackName(deployment.ids)}_${commandKey(deployment.taskId, number)}`
  await deployService(io, deployment, { folders, file: `command-${number}`, swarmName })
  await runJob(io, {
    name: swarmName,
    folder: folders.step(DURABLE.firstStart + number),
    ...(timeoutMs !== null && { timeoutMs }),
    faultOf: ({ exitCode, said }) => {
      const ended =
        exitCode === NOT_STARTED
          ? `${name} has not run to its end: ${lastLine(said)}`
          : `${name} ended with exit code ${exitCode}: ${lastLine(said)}. What it has changed, for example in a database, stays changed`
      return new StepFault('command', ended, { exitCode })
    },
  })
}

/** A failed step restores what the deployment has updated in place. After a cancel the clean-up does that. */
function withWayBack(step: DoStep, deployment: Deployment): DoStep {
  return (title, work) =>
    step(title, async (io) => {
      try {
        return await work(io)
      } catch (error) {
        if (error instanceof StepFault && !io.signal.aborted)
          for (const sentence of await restoreReplaced(io.host, deployment.ids, deployment.servingTaskId))
            io.say(sentence)
        throw error
      }
    })
}
