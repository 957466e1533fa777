// Containers on the manager in use that wait for commands, which enter them: for terminals, for piped input, and for actions that keep files.
//
// A Swarm starts the command of a task at once, and has no way to end its input. So the command is not the first process: that one waits, and
// has the networks, secrets, configs and limits of the service for the command that enters. The image needs `sh`.
import { z } from 'zod'
import { inspectContainer } from '../../../commands/docker/containers.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { StepIo } from '../../../deployment/run.ts'
import type { RunTerminal } from '../../../domain/run-terminal.ts'
import { stackName } from '../../../domain/swarm/stack-names.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import { askDocker, runDocker } from '../../../remote/ask-docker.ts'
import { callEngine, EngineFault, upgradeCall } from '../../../remote/engine/call-engine.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { findSocket, NO_DETACH_KEYS, terminalOver } from '../../engine-terminal.ts'
import type { ExecTarget, LostOneOffs, OneOffAttachment, TargetHold } from '../../runtime.ts'
import { createHold } from './create-job.ts'

export async function holdTarget(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  target: ExecTarget,
  { owner, taskId, registry }: TargetHold,
): Promise<ExecTarget> {
  const name = `${stackName(owner)}_x-action-${taskId}`
  await createHold(host, target, {
    ...{ owner, taskId, name, registry },
    purpose: 'files',
    words: [],
    hasTerminal: false,
  })
  const id = await startHold(host, name, { pendingSeconds: 180, timeoutMs: START_MS })
  say(`Its files are kept, so it is on the manager in use: ${host.name}`)
  return { ...target, id, isHeld: true }
}

/** The image may come from the registry first. */
const START_MS = 10 * 60_000

type HoldStart = {
  /** How long it may wait for a node. */
  readonly pendingSeconds: number
  readonly timeoutMs: number
}

/** Returns the id of its container. */
async function startHold(host: Host, name: string, { pendingSeconds, timeoutMs }: HoldStart): Promise<string> {
  const command = dockerScript('start-hold', name, String(pendingSeconds))
  const printed = await ask(host, { command, timeoutMs }, ({ stderr }) => CheckFailed(lastLine(stderr)))
  return printed.trim()
}

const Definition = z.object({ Config: z.object({ Cmd: z.array(z.string()) }) })

/** On the platform's own machine. */
export async function attachHold(host: Host, { container: name, size }: OneOffAttachment): Promise<RunTerminal> {
  const engine = await findSocket(host)
  const end = (): Promise<void> => endHold(host, name)
  try {
    const id = await startHold(host, name, { pendingSeconds: 20, timeoutMs: ATTACH_MS })
    const { Config } = Definition.parse(JSON.parse(await askDocker(host, inspectContainer(id))))
    const hasTerminal = size !== undefined
    const streams = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: hasTerminal }
    const window = size && { ConsoleSize: [size.rows, size.columns] }
    const body = { ...streams, ...window, Cmd: Config.Cmd, DetachKeys: NO_DETACH_KEYS }
    const { Id } = JSON.parse(await callEngine(engine, { method: 'POST', path: `/containers/${id}/exec`, body }))
    const path = `/exec/${Id}`
    const start = { method: 'POST', path: `${path}/start`, body: { Tty: hasTerminal, ...window } } as const
    const socket = await upgradeCall(engine, start)
    // Its faults end the output.
    socket.on('error', () => socket.destroy())
    return terminalOver({ socket, hasTerminal, engine, path, readExit: () => readExit(engine, path), end })
  } catch (error) {
    await end()
    throw error instanceof EngineFault ? CheckFailed(`The command cannot be started: ${error.message}`) : error
  }
}

/** Within the deadline of a user who waits. */
const ATTACH_MS = 25_000

/** If the connection ended before the command, the command is lost to its user. */
async function readExit(engine: string, path: string): Promise<number> {
  const { Running, ExitCode } = JSON.parse(await callEngine(engine, { method: 'GET', path: `${path}/json` }))
  if (Running === false && Number.isInteger(ExitCode)) return ExitCode
  throw new EngineFault('The connection to the container ended before the command')
}

/** Commands in it get a signal to end first. */
async function endHold(host: Host, name: string): Promise<void> {
  await ask(host, dockerScript('end-hold', '3', name), `A container cannot be removed from ${host.name}`)
}

/** Their certificates have ended by then. */
const UNUSED_MINUTES = 10

export async function removeUnusedHolds(host: Host, installationId: string): Promise<void> {
  const command = dockerScript('remove-unused-holds', installationId, String(UNUSED_MINUTES))
  await runDocker(host, command, `Docker on ${host.name} cannot be asked`)
}

export async function removeLostHolds(host: Host, { installationId, processId }: LostOneOffs): Promise<void> {
  const command = dockerScript('remove-lost-holds', installationId, processId)
  await runDocker(host, command, `Docker on ${host.name} cannot be asked`)
}
