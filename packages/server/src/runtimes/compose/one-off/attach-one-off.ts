// Starts the container of a one-off command on the platform's own machine, and connects the platform to it by the Engine API.
import { setTimeout as pause } from 'node:timers/promises'
import type { RunTerminal } from '../../../domain/run-terminal.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { beginCall, callEngine, EngineFault, readAnswer, upgradeCall } from '../../../remote/engine/call-engine.ts'
import type { Host } from '../../../remote/host.ts'
import { findSocket, ifRefused, NO_DETACH_KEYS, terminalOver } from '../../engine-terminal.ts'
import type { OneOffAttachment } from '../../runtime.ts'

export async function attachOneOff(host: Host, { container, size }: OneOffAttachment): Promise<RunTerminal> {
  const engine = await findSocket(host)
  const path = `/containers/${encodeURIComponent(container)}`
  const end = (): Promise<void> => removeContainer(engine, path)
  try {
    const attach = `${path}/attach?stream=1&stdin=1&stdout=1&stderr=1&detachKeys=${encodeURIComponent(NO_DETACH_KEYS)}`
    const socket = await upgradeCall(engine, { method: 'POST', path: attach })
    // Its faults end the output.
    socket.on('error', () => socket.destroy())
    // Before the start: afterwards the container may be gone already.
    const waiting = await beginCall(engine, { method: 'POST', path: `${path}/wait?condition=next-exit` })
    const exit = readAnswer(waiting).then(exitCodeOf)
    // Awaited after the output.
    exit.catch(() => undefined)
    await callEngine(engine, { method: 'POST', path: `${path}/start` })
    const readExit = (): Promise<number> => Promise.race([exit, missedExit()])
    return terminalOver({ socket, hasTerminal: size !== undefined, engine, path, readExit, end })
  } catch (error) {
    await end()
    throw error instanceof EngineFault ? CheckFailed(`The command cannot be started: ${error.message}`) : error
  }
}

function exitCodeOf(answer: string): number {
  const { StatusCode: code } = JSON.parse(answer)
  if (!Number.isInteger(code)) throw new EngineFault('Docker does not say how the command ended')
  return code
}

/** The connection ends with the command. If it ended before, the command is lost to its user. */
async function missedExit(): Promise<never> {
  await pause(EXIT_TIMEOUT_MS, undefined, { ref: false })
  throw new EngineFault('The connection to the container ended before the command')
}

const EXIT_TIMEOUT_MS = 10_000

/** It gets a signal to end first. The Engine may be removing it by itself. */
async function removeContainer(engine: string, path: string): Promise<void> {
  await callEngine(engine, { method: 'POST', path: `${path}/stop?t=${STOP_SECONDS}` }).catch(ifRefused)
  await callEngine(engine, { method: 'DELETE', path: `${path}?force=1&v=1` }).catch(ifRefused)
}

const STOP_SECONDS = 3
