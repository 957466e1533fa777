// A machine that commands run on. Short commands run here to their end; long work is a durable step.
import type { Command } from '../commands/command.ts'

export type Host = {
  /** For messages: what people call the server. */
  readonly name: string
  run(command: Command, options?: RunOptions): Promise<Finished>
  /** How git on the platform reaches a repository on this machine. */
  readonly git: {
    address(path: string): string
    readonly environment: Readonly<Record<string, string>>
  }
}

export type RunOptions = {
  /** Written to standard input, which is then closed. */
  readonly input?: string | Uint8Array
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Takes the standard output as it comes, in place of collecting it. */
  readonly onOutput?: (bytes: Buffer) => void
}

/** What was printed is kept up to a mebibyte of each kind; a command that prints more is not a short one. */
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

/** The connection went away or fell silent while a command ran: whether it finished is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** What it takes to reach a server. */
export type ServerAddress = {
  readonly id: number
  readonly name: string
  readonly connection: 'ssh' | 'local'
  readonly hostname: string
  readonly port: number
  readonly unixUser: string
  /** `ssh-ed25519 AAAA…`; null until the first connection has pinned the key that it met. */
  readonly hostKey: string | null
}
