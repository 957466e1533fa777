// A machine that commands run on. Short commands run here to their end; long work is a durable step.
import type { Command } from '../commands/command.ts'

export type Host = {
  /** For messages: what people call the server. */
  readonly name: string
  run(command: Command, options?: RunOptions): Promise<Finished>
  /** How git on the platform reaches a repository on this machine. */
  readonly git: {
    address(path: string): string
    /** Runs git when there is room for it, with the environment that it needs. Whoever is stopped while waiting learns it at once. */
    inTurn<Result>(
      run: (environment: Readonly<Record<string, string>>) => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result>
  }
}

/** Where the repository lies on the machine that git runs on. */
export const gitHere: Host['git'] = { address: (path) => path, inTurn: (run) => run({}) }

export type RunOptions = {
  /** Written to standard input, which is then closed. */
  readonly input?: string | Uint8Array
  /** For the run itself, without the time it takes to connect or to get a turn. Without one it is `USUAL_LIMIT_MS`. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Takes the standard output as it comes, in place of collecting it. Until it resolves, nothing more is read. */
  readonly onOutput?: (bytes: Buffer) => void | Promise<void>
}

/** A server that takes a command and never answers must not hold whoever asked for ever. What takes longer is a durable step. */
export const USUAL_LIMIT_MS = 15 * 60_000

/** Of standard error a mebibyte is kept: beginning and end. An end by a signal is 128 and the signal's number. */
export type Finished = { readonly exitCode: number; readonly stdout: Buffer; readonly stderr: Buffer }

/** The server could not be reached, or was not the one it should be. Nothing ran. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
  readonly stage: 'connect' | 'auth' | 'host_key'

  constructor(stage: ServerUnreachable['stage'], sentence: string, options?: { cause: unknown }) {
    super(sentence, options)
    this.stage = stage
  }
}

/** The platform goes down: whoever waits for a server waits no longer, and the next process goes on. */
export class PlatformStopping extends ServerUnreachable {
  constructor() {
    super('connect', 'The platform is stopping and takes up no more connections')
  }
}

/** The connection went away or fell silent while a command ran: whether it finished is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** The command was ended before it finished, with whatever it had started. */
export class CommandStopped extends Error {
  override readonly name = 'CommandStopped'
  readonly reason: 'timed_out' | 'aborted'

  constructor(reason: CommandStopped['reason']) {
    super(reason === 'aborted' ? 'The command was stopped' : 'The command took too long and was stopped')
    this.reason = reason
  }
}

/** A command whose output is collected printed more than a mebibyte, or than was expected. It was ended. */
export class TooMuchOutput extends Error {
  override readonly name = 'TooMuchOutput'

  constructor() {
    super('The command printed too much where a short answer was expected')
  }
}
