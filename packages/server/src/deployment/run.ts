// Programs consist of phases of named steps. A program can be run again after its process died: a finished step is not repeated,
// and durable work that still runs on the server is joined.
import type { Command } from '../commands/command.ts'
import type { Account } from '../remote/accounts/account.ts'
import type { Host } from '../remote/host.ts'
import type { Secret } from '../secrets/secret.ts'
import type { StepTitle } from './step-keys.ts'

/** A deployment has the first seven, `Release` only with commands to run; an action has `Prepare` and the last two. */
export type PhaseName =
  | 'Prepare'
  | 'Transfer'
  | 'Build'
  | 'Start'
  | 'Release'
  | 'Switch'
  | 'Clean up'
  | 'Run'
  | 'Artifacts'

export type Run = {
  /** Returns the function that does the steps of a phase. */
  phase(name: PhaseName): DoStep
  /** Ends the program with a failed step that says why. */
  refuse(title: StepTitle, sentence: string): Promise<never>
  /** Marks the program as finished. Rejects if an earlier run recorded more steps. */
  complete(): Promise<void>
}

/** The result must be plain JSON: the next run of the program reads it from the records. */
export type DoStep = <Result>(title: StepTitle, work: (io: StepIo) => Promise<Result>) => Promise<Result>

export type StepIo = {
  readonly host: Host
  readonly signal: AbortSignal
  /** A line of the output. */
  say(line: string): void
  /** Sets the message of a step that succeeds. The last call wins. */
  warn(sentence: string): void
  /** Work on the server that outlives the connection and the platform; throws a StepFault unless it ends with 0. */
  durably(work: DurableWork): Promise<void>
}

export type DurableWork = {
  readonly run: Command | { readonly script: string }
  readonly folder: string
  /** Working folder; its own folder by default. */
  readonly cwd?: string
  readonly environment: ReadonlyMap<string, Secret | string>
  readonly timeoutMs?: number
  /** The user that runs it; the platform's user by default. */
  readonly account?: Account
}
