// A machine that commands run on. Short commands run to their end here; long work is a durable step.
import type { Command } from '../commands/command.ts'

export type Host = {
  /** The name that people gave the server, for messages. */
  readonly name: string
  run(command: Command, options?: RunOptions): Promise<Finished>
  /** How git on the platform reaches a repository on this machine. */
  readonly git: {
    address(path: string): string
    /** Runs git once a session is free, with the environment that it needs. Rejects at once if the caller aborts while waiting. */
    inTurn<Result>(
      run: (environment: Readonly<Record<string, string>>) => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result>
  }
}

/** For a repository on the machine that git runs on. */
export const localGit: Host['git'] = { address: (path) => path, inTurn: (run) => run({}) }

export type RunOptions = {
  /** Written to standard input, which is then closed. */
  readonly input?: string | Uint8Array
  /** Limits the run itself, without the time to connect and to wait for a session. Default: `USUAL_LIMIT_MS`. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Receives the standard output as it arrives, instead of collecting it. Reading pauses until it resolves. */
  readonly onOutput?: (bytes: Buffer) => void | Promise<void>
}

/** Every command on the host ends with the signal, and with that of its own options. */
export function withSignal(host: Host, signal: AbortSignal | undefined): Host {
  if (!signal) return host
  const joined = (own: AbortSignal | undefined) => (own ? AbortSignal.any([own, signal]) : signal)
  return { ...host, run: (command, options) => host.run(command, { ...options, signal: joined(options?.signal) }) }
}

/** A server that accepts a command and never answers must not block the caller forever. Longer work is a durable step. */
export const USUAL_LIMIT_MS = 15 * 60_000

/** Keeps the first and last part of standard error, one mebibyte in all. After a signal, the exit code is 128 plus its number. */
export type Finished = { readonly exitCode: number; readonly stdout: Buffer; readonly stderr: Buffer }

/** The server could not be reached, or its host key was wrong. Nothing ran. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
  readonly stage: 'connect' | 'auth' | 'host_key'

  constructor(stage: ServerUnreachable['stage'], sentence: string, options?: { cause: unknown }) {
    super(sentence, options)
    this.stage = stage
  }
}

/** The platform is shutting down: callers stop waiting for servers, and the next process takes over. */
export class PlatformStopping extends ServerUnreachable {
  constructor() {
    super('connect', 'The platform is stopping and takes up no more connections')
  }
}

/** The connection broke or fell silent while a command ran: whether the command finished is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** The command was ended before it finished, together with all processes that it had started. */
export class CommandStopped extends Error {
  override readonly name = 'CommandStopped'
  readonly reason: 'timed_out' | 'aborted'

  constructor(reason: CommandStopped['reason']) {
    super(reason === 'aborted' ? 'The command was stopped' : 'The command took too long and was stopped')
    this.reason = reason
  }
}

/** The command printed more than a mebibyte, or more than the caller expected, and was ended. */
export class TooMuchOutput extends Error {
  override readonly name = 'TooMuchOutput'

  constructor() {
    super('The command printed too much where a short answer was expected')
  }
}
