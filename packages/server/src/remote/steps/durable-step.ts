/**
 * Long work on a server that goes on whatever happens to the platform. Its inputs are files in a folder of its own, it runs
 * detached in a process group of its own, and its output and exit code are files: any platform process can attach to it, and
 * starting it again does nothing. A process that leaves the group on purpose (`setsid`) is not ended with it.
 */
import type { Command } from '../../commands/command.ts'
import { type Account, accountWord } from '../accounts/account.ts'
import { ask } from '../ask.ts'
import type { Host } from '../host.ts'
import { type Patience, untilReached } from '../patience.ts'
import type { StepEnd } from './follow-frames.ts'
import { type FollowOptions, followStep } from './follow-step.ts'
import { accountText, launchFile, type StepEnvironment } from './step-launch.ts'
import { cancelCommand, removeCommand, type StepStart } from './step-scripts.ts'

export type DurableStep = {
  /** Absolute, and of this step of this task alone. */
  readonly folder: string
  /** A script is the user's own text for `sh -e`; it goes to the server as a file. */
  readonly run: Command | { readonly script: string }
  readonly cwd?: string
  readonly environment?: StepEnvironment
  /** Whose commands these are; the user of the connection runs them unless told. */
  readonly account?: Account
  /** Held by the server itself, also while no platform is connected. */
  readonly timeoutMs?: number
}

/** Starts the step, or joins it, and follows it to its end. May be repeated, at once or later: the step runs once. */
export async function runStep(host: Host, step: DurableStep, options: FollowOptions): Promise<StepEnd> {
  return followStep(host, step.folder, { ...options, start: startOf(step) })
}

export function startOf(step: DurableStep): StepStart {
  if (!step.folder.startsWith('/')) throw new TypeError('The folder of a step must be absolute')
  if (step.account) return startAs(step.account, step)
  const script = 'script' in step.run ? Buffer.from(step.run.script) : undefined
  const launch = Buffer.from(launchFile({ ...step, words: 'script' in step.run ? [] : step.run }))
  return {
    input: Buffer.concat(script ? [script, launch] : [launch]),
    timeoutMs: step.timeoutMs ?? 0,
    account: '',
    ...(script && { scriptBytes: script.length }),
  }
}

/** All of it goes through one pipe, also the script. */
function startAs(account: Account, step: DurableStep): StepStart {
  return { input: Buffer.from(accountText(step)), timeoutMs: step.timeoutMs ?? 0, account: accountWord(account) }
}

/** TERM to the whole group, KILL after ten seconds; returns when all of it is gone. A step that has ended stays as it ended. */
export async function cancelStep(host: Host, folder: string, patience: Patience = {}): Promise<void> {
  await finish(host, { what: 'cancel', command: cancelCommand(folder), patience })
}

/** Takes away what the step left on the server. It must have ended. */
export async function removeStep(host: Host, folder: string, patience: Patience = {}): Promise<void> {
  await finish(host, { what: 'remove', command: removeCommand(folder), patience })
}

type Act = { readonly what: string; readonly command: Command; readonly patience: Patience }

/** Each of these commands does nothing the second time, so a lost connection is no reason to give up. */
async function finish(host: Host, { what, command, patience }: Act): Promise<void> {
  const question = { command, ...(patience.signal && { signal: patience.signal }) }
  await untilReached(host.name, patience, () =>
    ask(
      host,
      question,
      ({ exitCode, stderr }) => new Error(`Could not ${what} a step (exit code ${exitCode}): ${stderr.trim()}`),
    ),
  )
}
