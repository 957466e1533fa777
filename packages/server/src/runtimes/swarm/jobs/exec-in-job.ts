// Finds where an action runs, and runs it.
import type { Command } from '../../../commands/command.ts'
import { inContainer } from '../../../commands/docker/containers.ts'
import { shell } from '../../../commands/script.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { ONE_OFF } from '../../../domain/compose/orphaned-containers.ts'
import { stackName } from '../../../domain/swarm/stack-names.ts'
import { isRunning, type SwarmService, type SwarmView, tasksOf } from '../../../domain/swarm/swarm-view.ts'
import { CheckFailed, StepFault } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { execInContainer } from '../../compose/exec/exec-in-container.ts'
import type { ExecTarget, OneOff, ScriptInTarget, TargetSearch } from '../../runtime.ts'
import { listSwarm } from '../view/list-swarm.ts'
import { createHold, createJob } from './create-job.ts'
import { runJob } from './run-job.ts'

export async function findTarget(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  { owner, service: named, servingTaskId, purpose }: TargetSearch,
): Promise<ExecTarget> {
  const view = await listSwarm(host, owner)
  const running = view.services.filter(
    (service) => service.mode !== ONE_OFF && tasksOf(view, service).some((task) => isRunning(task)),
  )
  const name = named ?? onlyName(running)
  const own = running.filter(({ service }) => service === name).toSorted((a, b) => b.task - a.task)
  // A deployment under way may have started another, which serves no requests yet, or have updated the only one.
  const service = own.find(({ task }) => task <= servingTaskId) ?? own[0]
  if (!service || name === undefined) throw CheckFailed(noService(name, running, purpose))
  say(`In a container of its own like those of ${name}, on ${nodeOf(view, service)}`)
  return { id: service.id, service: name }
}

function onlyName(running: readonly SwarmService[]): string | undefined {
  const [only, ...others] = new Set(running.map(({ service }) => service))
  return others.length === 0 ? only : undefined
}

function nodeOf(view: SwarmView, service: SwarmService): string {
  const nodeId = tasksOf(view, service).find(isRunning)?.nodeId
  return view.nodes.find(({ id }) => id === nodeId)?.name ?? 'its node'
}

function noService(
  name: string | undefined,
  running: readonly SwarmService[],
  purpose: TargetSearch['purpose'],
): string {
  const names = [...new Set(running.map(({ service }) => service))].sort()
  if (names.length === 0) return `No service of this environment runs. Deploy it, and run the ${purpose} again`
  const choice = `These run: ${names.join(', ')}`
  if (name !== undefined) return `The service ${name} does not run. ${choice}`
  const advice =
    purpose === 'action' ? 'Name one with service in .service.yml' : 'Name one with service, in the client with -s'
  return `The ${purpose} does not say in which service it runs. ${advice}. ${choice}`
}

export async function execInJob(io: StepIo, target: ExecTarget, action: ScriptInTarget): Promise<void> {
  if (target.isHeld === true) return execInContainer(io, target, action)
  const { script, owner, folder, work } = action
  const taskId = Number(folder.split('/').at(-1))
  const name = `${stackName(owner)}_x-action-${taskId}`
  await createJob(io.host, target, { owner, taskId, name, words: shell(script, 'action') })
  await runJob(io, {
    ...work,
    name,
    faultOf: ({ exitCode, said }) =>
      new StepFault('command', `The action ended with exit code ${exitCode}: ${lastLine(said)}`, { exitCode }),
  })
}

/** What a job has written is gone with it. */
export function commandIn(target: ExecTarget, command: Command): Command {
  if (target.isHeld !== true) throw new TypeError('Files are kept of containers alone that wait for commands')
  return inContainer(target.id, command)
}

export async function createOneOff(host: Host, target: ExecTarget, oneOff: OneOff): Promise<void> {
  const { owner, taskId, container: name, words, input, processId, registry } = oneOff
  if (input === 'none') return createJob(host, target, { owner, taskId, name, words })
  const hold = { owner, taskId, name, words, hasTerminal: input === 'terminal', processId, registry }
  await createHold(host, target, { ...hold, purpose: 'terminal' })
}

export async function runOneOff(io: StepIo, name: string, { folder }: { readonly folder: string }): Promise<void> {
  await runJob(io, {
    folder,
    name,
    faultOf: ({ exitCode, said }) => {
      const last = lastLine(said)
      return new StepFault('command', `The command ended with exit code ${exitCode}${last === '' ? '' : `: ${last}`}`, {
        exitCode,
      })
    },
  })
}
