// What a recipe is written with: phases of named steps. The same program can be run again after its process died: a step that
// ended then is not done again, and long work on the server that was begun then is joined.
import type { Command } from '../commands/command.ts'
import type { Account } from '../remote/accounts/account.ts'
import type { Host } from '../remote/host.ts'
import type { Secret } from '../secrets/secret.ts'
import type { StepTitle } from './step-keys.ts'

/** A deployment has the first six, an action `Prepare` and the last two. */
export type PhaseName = 'Prepare' | 'Transfer' | 'Build' | 'Start' | 'Switch' | 'Clean up' | 'Run' | 'Artifacts'

export type Run = {
  /** What does the steps of a phase. */
  phase(name: PhaseName): DoStep
  /** A step that says why nothing is begun, or why nothing more is. */
  refuse(title: StepTitle, sentence: string): Promise<never>
  /** The program is through: rejects where an earlier run of it came to more steps than this one has. */
  complete(): Promise<void>
}

/** What a step hands on must be plain JSON: the next run of the program reads it from the records. */
export type DoStep = <Result>(title: StepTitle, work: (io: StepIo) => Promise<Result>) => Promise<Result>

export type StepIo = {
  readonly host: Host
  readonly signal: AbortSignal
  /** A line of the output. */
  say(line: string): void
  /** A sentence that people should see though the step succeeds: it becomes the step's message. The last one counts. */
  warn(sentence: string): void
  /** Work on the server that outlives the connection and the platform; throws a StepFault unless it ends with 0. */
  durably(work: DurableWork): Promise<void>
}

export type DurableWork = {
  readonly run: Command | { readonly script: string }
  readonly folder: string
  /** Where it runs; its own folder unless told. */
  readonly cwd?: string
  readonly environment: ReadonlyMap<string, Secret | string>
  readonly timeoutMs?: number
  /** Whose commands these are; the platform's user runs them unless told. */
  readonly account?: Account
}
