/**
 * Long work on a server that continues whatever happens to the platform. Its inputs are files in a folder of its own, it runs detached in a
 * process group of its own, and its output and exit code are files. Any platform process can attach to it, and starting it again does
 * nothing. A process that leaves the group on purpose (`setsid`) is not ended with it.
 *
 * A durable step is a constant script with its inputs in files, detached, with output and exit code in files of its own folder. Creating
 * the folder starts it, so it starts once. How far its output was read is written in the transaction that stores the bytes: no line is lost
 * and none is stored twice.
 */
import type { Command } from '../../commands/command.ts'
import { type Account, accountWord } from '../accounts/account.ts'
import { ask } from '../ask.ts'
import type { Host } from '../host.ts'
import { type RetryPolicy, untilReached } from '../retry-policy.ts'
import type { StepEnd } from './follow-frames.ts'
import { type FollowOptions, followStep } from './follow-step.ts'
import { accountText, launchFile, type StepEnvironment } from './step-launch.ts'
import { cancelCommand, removeCommand, type StepStart } from './step-scripts.ts'

export type DurableStep = {
  /** Absolute, and used only by this step of this task. */
  readonly folder: string
  /** A script is the user's own text for `sh -e`; it is sent to the server as a file. */
  readonly run: Command | { readonly script: string }
  readonly cwd?: string
  readonly environment?: StepEnvironment
  /** The user that runs the commands; the user of the connection by default. */
  readonly account?: Account
  /** Enforced by the server itself, also while no platform is connected. */
  readonly timeoutMs?: number
}

/** Starts the step or attaches to it, and follows it to its end. Idempotent: the step runs once. */
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

/** The script goes through the same pipe. */
function startAs(account: Account, step: DurableStep): StepStart {
  return { input: Buffer.from(accountText(step)), timeoutMs: step.timeoutMs ?? 0, account: accountWord(account) }
}

/**
 * Sends TERM to the whole group, KILL after ten seconds, and returns when all processes are gone. Does not change a step that has ended.
 */
export async function cancelStep(host: Host, folder: string, retry: RetryPolicy = {}): Promise<void> {
  await finish(host, { what: 'cancel', command: cancelCommand(folder), retry })
}

/** Removes the step's files from the server. It must have ended. */
export async function removeStep(host: Host, folder: string, retry: RetryPolicy = {}): Promise<void> {
  await finish(host, { what: 'remove', command: removeCommand(folder), retry })
}

type StepCommand = { readonly what: string; readonly command: Command; readonly retry: RetryPolicy }

/** These commands are idempotent, so they are retried after a lost connection. */
async function finish(host: Host, { what, command, retry }: StepCommand): Promise<void> {
  const question = { command, ...(retry.signal && { signal: retry.signal }) }
  await untilReached(host.name, retry, () =>
    ask(
      host,
      question,
      ({ exitCode, stderr }) => new Error(`Could not ${what} a step (exit code ${exitCode}): ${stderr.trim()}`),
    ),
  )
}
