// Finds where an action runs, and runs it.
import type { Command } from '../../../commands/command.ts'
import { shell } from '../../../commands/script.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { ONE_OFF } from '../../../domain/compose/orphaned-containers.ts'
import { stackName } from '../../../domain/swarm/stack-names.ts'
import { isRunning, type SwarmService, type SwarmView, tasksOf } from '../../../domain/swarm/swarm-view.ts'
import { CheckFailed, StepFault } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import type { ExecTarget, OneOff, OneOffAttachment, ScriptInTarget, TargetSearch } from '../../runtime.ts'
import { listSwarm } from '../view/list-swarm.ts'
import { createJob } from './create-job.ts'
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

export async function execInJob(
  io: StepIo,
  target: ExecTarget,
  { script, owner, folder, work }: ScriptInTarget,
): Promise<void> {
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

/** What an action has written is gone with its container. */
export const commandIn = (_target: ExecTarget, _command: Command): Command =>
  shell(
    'echo "$1" >&2; exit 1',
    'shipway-no-container',
    'On a Swarm an action runs in a container of its own, which is gone when it ends: files cannot be kept of it. Send them somewhere in the action',
  )

export async function createOneOff(host: Host, target: ExecTarget, oneOff: OneOff): Promise<void> {
  if (oneOff.input !== 'none') throw CheckFailed(NO_TERMINAL)
  const { owner, taskId, container: name, words } = oneOff
  await createJob(host, target, { owner, taskId, name, words })
}

export const attachOneOff = async (_host: Host, _attachment: OneOffAttachment): Promise<never> => {
  throw CheckFailed(NO_TERMINAL)
}

const NO_TERMINAL =
  'A Swarm has no terminal into a container of another node. Run the command with --detach, or on a server without a Swarm'

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
