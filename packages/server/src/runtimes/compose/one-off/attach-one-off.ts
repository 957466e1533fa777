// Starts the container of a one-off command on the platform's own machine, and connects the platform to it by the Engine API: docker itself
// takes a terminal only from a terminal.
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { findEngine } from '../../../commands/docker/containers.ts'
import type { RunOutput, RunTerminal } from '../../../domain/run-terminal.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import { beginCall, callEngine, EngineFault, readAnswer, upgradeCall } from '../../../remote/engine/call-engine.ts'
import { readFrames } from '../../../remote/engine/read-frames.ts'
import type { Host } from '../../../remote/host.ts'
import type { OneOffAttachment } from '../../runtime.ts'

export async function attachOneOff(host: Host, { container, hasTerminal }: OneOffAttachment): Promise<RunTerminal> {
  const engine = await findSocket(host)
  const at = `/containers/${encodeURIComponent(container)}`
  const end = (): Promise<void> => removeContainer(engine, at)
  try {
    const attach = `${at}/attach?stream=1&stdin=1&stdout=1&stderr=1&detachKeys=${encodeURIComponent(NO_DETACH_KEYS)}`
    const socket = await upgradeCall(engine, { method: 'POST', path: attach })
    // Its faults end the output.
    socket.on('error', () => socket.destroy())
    // Before the start: afterwards the container may be gone already.
    const waiting = await beginCall(engine, { method: 'POST', path: `${at}/wait?condition=next-exit` })
    const exit = readAnswer(waiting).then(exitCodeOf)
    // Awaited after the output.
    exit.catch(() => undefined)
    await callEngine(engine, { method: 'POST', path: `${at}/start` })
    const over = Promise.withResolvers<void>()
    socket.once('close', over.resolve)
    return {
      output: hasTerminal ? asOutput(socket) : readFrames(socket),
      exitCode: over.promise.then(() => Promise.race([exit, missedExit()])),
      write: (bytes) => write(socket, bytes),
      endInput: () => void socket.end(),
      resize: async ({ columns, rows }) => {
        // The command may have ended.
        await callEngine(engine, { method: 'POST', path: `${at}/resize?w=${columns}&h=${rows}` }).catch(ifRefused)
      },
      end: async () => {
        socket.destroy()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error instanceof EngineFault ? CheckFailed(`The command cannot be started: ${error.message}`) : error
  }
}

/** Cannot be left out, and docker's own would take keys away from shells and editors. */
const NO_DETACH_KEYS = Array.from({ length: 16 }, () => 'ctrl-@').join(',')

async function findSocket(host: Host): Promise<string> {
  const address = (await askDocker(host, findEngine)).trim()
  if (!address.startsWith('unix://'))
    throw CheckFailed(
      `Docker on ${host.name} is reached by ${address}, and not by a socket. Run the command with --detach`,
    )
  return address.slice('unix://'.length)
}

async function* asOutput(socket: Socket): AsyncGenerator<RunOutput, void, undefined> {
  for await (const bytes of socket) yield { stream: 'stdout', bytes }
}

async function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (!socket.writable || socket.write(bytes)) return
  await new Promise<void>((resolve) => {
    const enter = (): void => {
      socket.off('drain', enter)
      socket.off('close', enter)
      resolve()
    }
    socket.once('drain', enter)
    socket.once('close', enter)
  })
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
async function removeContainer(engine: string, at: string): Promise<void> {
  await callEngine(engine, { method: 'POST', path: `${at}/stop?t=${STOP_SECONDS}` }).catch(ifRefused)
  await callEngine(engine, { method: 'DELETE', path: `${at}?force=1&v=1` }).catch(ifRefused)
}

const STOP_SECONDS = 3

function ifRefused(error: unknown): void {
  if (!(error instanceof EngineFault) || error.status === undefined) throw error
}
