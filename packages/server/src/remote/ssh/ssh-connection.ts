/**
 * The connection to a server that all its commands share: an ssh process with a control socket. It runs a command that reads its input to
 * the end, and the input is a pipe from this process: closing the pipe lets the commands on the connection end first. When the platform is
 * killed, `process-guard.ts` ends the process, whatever the server sends.
 */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { shellLine } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { type Finished, PlatformStopping } from '../host.ts'
import { type RunningProcess, startProcess } from '../process.ts'
import { connectFailure, noAnswer, noShell } from './ssh-failure.ts'

export type SshConnection = {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Lets its commands finish and accepts no more. */
  retire(): void
  /** Ends the connection and all commands on it. */
  close(): Promise<void>
}

export type ConnectionOptions = {
  readonly server: ServerAddress
  readonly controlFile: string
  /** `ssh`, its options and the destination. */
  readonly ssh: readonly [string, ...string[]]
  /** Cancels an attempt that is not connected yet. */
  readonly signal: AbortSignal
}

export async function openConnection(options: ConnectionOptions): Promise<SshConnection> {
  const { server, controlFile, ssh, signal } = options
  // A socket left by a killed ssh would prevent this one from listening.
  await rm(controlFile, { force: true })
  if (signal.aborted) throw new PlatformStopping()
  const token = randomBytes(12).toString('hex')
  const greeting = createGreeting(token)
  const running = startProcess([...ssh, shellLine(shell(greetScript, token))], { onOutput: greeting.receive })
  const outcome = await firstOf(greeting.received, running.finished, signal)
  if (outcome !== 'ready') {
    if (outcome === 'late') {
      await running.stop()
      throw signal.aborted ? new PlatformStopping() : noAnswer(server, timeoutMs / 1000)
    }
    const stderr = outcome.stderr.toString()
    throw outcome.exitCode === 255 ? connectFailure(server, stderr) : noShell(server, stderr)
  }
  const ended = running.finished.then(
    () => undefined,
    () => undefined,
  )
  return { ended, retire: () => running.endInput(), close: () => close(running, ended) }
}

const greetScript = loadScript(import.meta.url, 'greet')

/** Longer than ssh's own ConnectTimeout, which does not cover the sign-in. */
const timeoutMs = 20_000

/** Skips what the user's login shell prints before. */
function createGreeting(token: string): { receive(bytes: Buffer): void; received: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let said = ''
  const receive = (bytes: Buffer): void => {
    said = (said + bytes.toString('latin1')).slice(-4096)
    if (said.includes(token)) resolve()
  }
  return { receive, received: promise }
}

async function firstOf(
  received: Promise<void>,
  ended: Promise<Finished>,
  signal: AbortSignal,
): Promise<'ready' | 'late' | Finished> {
  const late = Promise.withResolvers<'late'>()
  const giveUp = (): void => late.resolve('late')
  const timer = setTimeout(giveUp, timeoutMs)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([received.then(() => 'ready' as const), ended, late.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}

/** The shutdown of the platform waits for it. */
const closeTimeoutMs = 500

/** SIGTERM lets ssh disconnect properly; if the server does not answer, ssh is killed. */
async function close(running: RunningProcess, ended: Promise<void>): Promise<void> {
  running.endInput()
  const timer = setTimeout(() => running.stop(), closeTimeoutMs)
  await ended.finally(() => clearTimeout(timer))
}
