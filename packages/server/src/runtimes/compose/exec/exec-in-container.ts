// Runs the command of an action in a container, as a durable step.
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from '../../../commands/command.ts'
import { inContainer } from '../../../commands/docker/containers.ts'
import { dockerScript, scriptText } from '../../../commands/docker/script.ts'
import type { StepIo } from '../../../deployment/run.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { endGroupScript } from '../../../remote/ssh/ssh-host.ts'
import type { ExecTarget, ScriptInTarget } from '../../runtime.ts'
import { listContainers } from '../containers/list-containers.ts'

export const commandIn = ({ id }: ExecTarget, command: Command): Command => inContainer(id, command)

export async function execInContainer(
  io: StepIo,
  target: ExecTarget,
  { script, owner, folder, work }: ScriptInTarget,
): Promise<void> {
  // The command is one word, which only the shell in the container reads.
  const words = [`${folder}/group`, target.id, scriptText('enter-container'), endGroupScript, script]
  try {
    await io.durably({ ...work, run: dockerScript('run-in-container', ...words), environment: new Map() })
  } catch (error) {
    throw (await asGone(io, error, { owner, target })) ?? error
  }
}

/** A deployment may have replaced the container, and ended whatever ran in it. */
async function asGone(
  { host, signal }: StepIo,
  error: unknown,
  { owner, target }: { readonly owner: ContainerOwner; readonly target: ExecTarget },
): Promise<StepFault | undefined> {
  if (signal.aborted || !(error instanceof StepFault) || error.exitCode === null) return undefined
  const isGone = async (): Promise<boolean> => {
    const containers = await listContainers(host, owner)
    return !containers.some(({ id, status }) => id === target.id && status === 'running')
  }
  if (!(await isGone()) && !(await isGoneSoon(isGone, { exitCode: error.exitCode, signal }))) return undefined
  const sentence =
    `The container of ${target.service} was replaced or stopped while the action ran in it, so the action ended with it. ` +
    'Run it again when the deployment has finished'
  return new StepFault('command', sentence, { exitCode: error.exitCode })
}

/** Processes are killed a moment before docker reports that their container has ended. */
async function isGoneSoon(
  isGone: () => Promise<boolean>,
  { exitCode, signal }: { readonly exitCode: number; readonly signal: AbortSignal },
): Promise<boolean> {
  if (exitCode !== KILLED) return false
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    await wait(POLL_MS, undefined, { signal })
    if (await isGone()) return true
  }
  return false
}

const KILLED = 137
const MAX_POLLS = 10
const POLL_MS = 200
