// Runs the command of an action where it belongs, as a durable step.
import { setTimeout as wait } from 'node:timers/promises'
import { dockerScript, scriptText } from '../../commands/docker/script.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { DurableWork, StepIo } from '../../deployment/run.ts'
import { StepFault } from '../../domain/tasks/step-fault.ts'
import { endGroupScript } from '../../remote/ssh/ssh-host.ts'
import { listContainers } from '../../runtimes/compose/containers/list-containers.ts'
import type { ActionRun, ActionTarget } from './action-run.ts'

type Where = {
  readonly place: ActionTarget
  readonly folders: Folders
  readonly environment: DurableWork['environment']
}

export async function runInTarget(io: StepIo, what: ActionRun, { place, folders, environment }: Where): Promise<void> {
  const { run: script, timeoutMs } = what.action
  const work = { folder: folders.step(1), ...(timeoutMs !== null && { timeoutMs }) }
  if (place.type === 'release') {
    const { folder: cwd, account } = place
    return io.durably({ ...work, run: { script }, cwd, environment, ...(account && { account }) })
  }
  // The command is one word, which only the shell in the container reads.
  const words = [`${folders.task}/group`, place.id, scriptText('enter-container'), endGroupScript, script]
  const run = dockerScript('run-in-container', ...words)
  try {
    await io.durably({ ...work, run, environment: new Map() })
  } catch (error) {
    throw (await asGone(io, error, { what, place })) ?? error
  }
}

/** A deployment may have replaced the container meanwhile, with whatever ran in it. */
async function asGone(
  { host, signal }: StepIo,
  error: unknown,
  { what, place }: { readonly what: ActionRun; readonly place: Extract<ActionTarget, { type: 'container' }> },
): Promise<StepFault | undefined> {
  if (signal.aborted || !(error instanceof StepFault) || error.exitCode === null) return undefined
  const isGone = async (): Promise<boolean> => {
    const containers = await listContainers(host, what.deployment.ids)
    return !containers.some(({ id, status }) => id === place.id && status === 'running')
  }
  if (!(await isGone()) && !(await isGoneSoon(isGone, { exitCode: error.exitCode, signal }))) return undefined
  const sentence =
    `The container of ${place.service} was replaced or stopped while the action ran in it, so the action ended with it. ` +
    'Run it again when the deployment is through'
  return new StepFault('command', sentence, { exitCode: error.exitCode })
}

/** What runs in a container is killed with it, a moment before docker says of the container that it has ended. */
async function isGoneSoon(
  isGone: () => Promise<boolean>,
  { exitCode, signal }: { readonly exitCode: number; readonly signal: AbortSignal },
): Promise<boolean> {
  if (exitCode !== KILLED) return false
  for (let look = 0; look < MOST_LOOKS; look++) {
    await wait(LOOK_MS, undefined, { signal })
    if (await isGone()) return true
  }
  return false
}

const KILLED = 137
const MOST_LOOKS = 10
const LOOK_MS = 200
