/**
 * The only module that starts processes. It uses no shell and does not pass on the platform's environment. Each process leads a group of
 * its own, so that stopping it ends its children as well, and none outlives the platform.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { constants, homedir } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from '../commands/command.ts'
import { loadScript, shell } from '../commands/script.ts'
import { collectOutput } from './collected-output.ts'
import { CommandStopped, type Finished, type RunOptions } from './host.ts'
import { createProcessGuard, type Guard } from './process-guard.ts'
import { createHeadAndTailBuffer } from './steps/head-and-tail-buffer.ts'

export type ProcessOptions = RunOptions & StartOptions

/** Runs a command to its end. As in a shell, a program that cannot be started exits with 127 or 126. */
export async function runProcess(command: Command, options: ProcessOptions = {}): Promise<Finished> {
  const { input, timeoutMs, signal } = options
  if (signal?.aborted) throw new CommandStopped('aborted')
  const running = startProcess(command, options)
  let stopped: { readonly reason: CommandStopped['reason']; readonly gone: Promise<void> } | undefined
  const stop = (reason: CommandStopped['reason']): void => {
    stopped ??= { reason, gone: running.stop() }
  }
  const onAbort = (): void => stop('aborted')
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs, 'timed_out')
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    running.endInput(input)
    const finished = await running.finished
    if (stopped === undefined) return finished
    await stopped.gone
    throw new CommandStopped(stopped.reason)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

export type StartOptions = Pick<RunOptions, 'onOutput'> & {
  /** Added to PATH, HOME and LANG. */
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Receives the standard error as it arrives; it is kept as well. */
  readonly onErrorOutput?: (bytes: Buffer) => void
}

export type RunningProcess = {
  /** Rejects if the output was too long or `onOutput` failed; the process has ended by then. */
  readonly finished: Promise<Finished>
  /** Writes to its standard input, which stays open. */
  write(bytes: Uint8Array): void
  endInput(input?: string | Uint8Array): void
  /** Whether it keeps the platform's own process alive; at first it does. */
  setReferenced(isReferenced: boolean): void
  /** Sends SIGTERM to the whole group, SIGKILL after five seconds, and resolves when no process of it is left. */
  stop(): Promise<void>
}

/** Starts a process that keeps running. The caller awaits `finished`. */
export function startProcess([program, ...words]: Command, options: StartOptions = {}): RunningProcess {
  const { environment, cwd } = options
  const child = spawn(program, words, { env: { ...ownEnvironment, ...environment }, cwd, detached: true })
  if (child.pid !== undefined) child.once('exit', guard.watch(child.pid))
  // A process need not read all of its input: a closed pipe is no failure, the exit code decides.
  child.stdin.on('error', () => child.stdin.destroy())
  const stop = async (): Promise<void> => {
    await endGroup(child.pid)
    // A process that left the group may still hold the pipes.
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
  return {
    finished: followToEnd(program, child, { ...options, stop }),
    write: (bytes) => void child.stdin.write(bytes),
    endInput: (input) => child.stdin.end(input),
    setReferenced: (isReferenced) => {
      for (const part of [child, child.stdin, child.stdout, child.stderr]) refOrUnref(part, isReferenced)
    },
    stop,
  }
}

/** The streams of a process are sockets, which the types do not say. */
function refOrUnref(part: object, isReferenced: boolean): void {
  if (isReferenced && 'ref' in part && typeof part.ref === 'function') part.ref()
  if (!isReferenced && 'unref' in part && typeof part.unref === 'function') part.unref()
}

const ownEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin:/opt/homebrew/bin',
  HOME: homedir(),
  LANG: 'C.UTF-8',
}

const guard = createProcessGuard(startGuard)
const guardScript = loadScript(import.meta.url, 'guard')

/** It does not keep the platform alive, and ends with it. */
function startGuard(): Guard {
  const [program, ...words] = shell(guardScript, 'shipway-guard')
  const child = spawn(program, words, { env: ownEnvironment, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = Promise.withResolvers<void>()
  child.once('error', () => ended.resolve())
  child.once('exit', () => ended.resolve())
  child.stdin.on('error', () => child.stdin.destroy())
  refOrUnref(child, false)
  refOrUnref(child.stdin, false)
  return { send: (line) => void child.stdin.write(line), ended: ended.promise }
}

type Following = StartOptions & { stop(): Promise<void> }

async function followToEnd(
  program: string,
  child: ChildProcessWithoutNullStreams,
  { onOutput, onErrorOutput, stop }: Following,
): Promise<Finished> {
  const output = collectOutput(keptBytes)
  const errors = createHeadAndTailBuffer(keptBytes)
  const addError = (bytes: Buffer): void => {
    errors.add(bytes)
    onErrorOutput?.(bytes)
  }
  const [exit, ...streams] = await Promise.allSettled([
    exitOf(child),
    handOver(child.stdout, onOutput ?? output.add, stop),
    handOver(child.stderr, addError, stop),
  ])
  if (exit.status === 'rejected') return notStarted(program, exit.reason)
  for (const stream of streams) if (stream.status === 'rejected') throw stream.reason
  return { exitCode: exit.value, stdout: output.bytes(), stderr: errors.bytes() }
}

const keptBytes = 1024 * 1024

/** After a signal, the exit code is the one that shells report. */
function exitOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

/** Reads the next piece only after the last one was processed: a slow consumer slows down the process instead of filling memory. */
async function handOver(
  stream: Readable,
  take: (bytes: Buffer) => void | Promise<void>,
  stop: () => Promise<void>,
): Promise<void> {
  try {
    for await (const bytes of stream) await take(bytes)
  } catch (error) {
    if (stream.errored === null && codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') return
    await stop()
    throw error
  }
}

function notStarted(program: string, error: unknown): Finished {
  const code = codeOf(error)
  const exitCode = code === 'ENOENT' ? 127 : 126
  if (code !== 'ENOENT' && code !== 'EACCES') throw new Error(`${program} could not be started`, { cause: error })
  const reason = code === 'ENOENT' ? 'not found' : 'permission denied'
  return { exitCode, stdout: Buffer.alloc(0), stderr: Buffer.from(`${program}: ${reason}\n`) }
}

const graceMs = 5_000
const pollMs = 20

async function endGroup(pid: number | undefined): Promise<void> {
  if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return
  const deadline = performance.now() + graceMs
  while (performance.now() < deadline) {
    await delay(pollMs)
    if (!signalGroup(pid, 0)) return
  }
  signalGroup(pid, 'SIGKILL')
}

/** False if the group has no process left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
