// A terminal of the platform over a connection that the Engine of its own machine has opened to a command: docker itself takes a terminal only
// from a terminal.
import type { Socket } from 'node:net'
import { findEngine } from '../commands/docker/containers.ts'
import type { RunOutput, RunTerminal } from '../domain/run-terminal.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { askDocker } from '../remote/ask-docker.ts'
import { callEngine, EngineFault } from '../remote/engine/call-engine.ts'
import { readFrames } from '../remote/engine/read-frames.ts'
import type { Host } from '../remote/host.ts'

/** Cannot be left out, and docker's own would take keys away from shells and editors. */
export const NO_DETACH_KEYS = Array.from({ length: 16 }, () => 'ctrl-@').join(',')

export async function findSocket(host: Host): Promise<string> {
  const address = (await askDocker(host, findEngine)).trim()
  if (!address.startsWith('unix://'))
    throw CheckFailed(
      `Docker on ${host.name} is reached by ${address}, and not by a socket. Run the command with --detach`,
    )
  return address.slice('unix://'.length)
}

type EngineTerminal = {
  readonly socket: Socket
  readonly hasTerminal: boolean
  /** Of the Engine, and of what is resized there. */
  readonly engine: string
  readonly path: string
  /** Called when the connection has ended. */
  readonly readExit: () => Promise<number>
  readonly end: () => Promise<void>
}

export function terminalOver({ socket, hasTerminal, engine, path, readExit, end }: EngineTerminal): RunTerminal {
  const over = Promise.withResolvers<void>()
  socket.once('close', over.resolve)
  const exitCode = over.promise.then(readExit)
  // A terminal whose user is gone is ended, and its exit code is not asked for.
  exitCode.catch(() => undefined)
  return {
    output: hasTerminal ? asOutput(socket) : readFrames(socket),
    exitCode,
    write: (bytes) => write(socket, bytes),
    endInput: () => void socket.end(),
    resize: async ({ columns, rows }) => {
      // The command may have ended.
      await callEngine(engine, { method: 'POST', path: `${path}/resize?w=${columns}&h=${rows}` }).catch(ifRefused)
    },
    end: async () => {
      socket.destroy()
      await end()
    },
  }
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

export function ifRefused(error: unknown): void {
  if (!(error instanceof EngineFault) || error.status === undefined) throw error
}
