// Commands of a durable step, from constant scripts. Everything variable is passed as arguments and on standard input.
import type { Command } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'

/** How a step is started: the input is the script, if there is one, and the launch file. */
export type StepStart = {
  readonly input: Buffer
  readonly scriptBytes?: number
  readonly timeoutMs: number
  /** The program that becomes a user of the environment, and the environment; empty for the user of the connection. */
  readonly account: string
}

/** Range and duration of one session: polls are a twentieth of a second apart, quick polls come first. */
type Session = {
  readonly from: number
  readonly bytes: number
  readonly polls: number
  readonly quickPolls: number
}

export const followCommand = (folder: string, session: Session): Command =>
  shell(followScript, NAME, ...followWords(folder, session))

const followWords = (folder: string, { from, bytes, polls, quickPolls }: Session): string[] => [
  folder,
  ...[from, bytes, polls, quickPolls].map(String),
]

/**
 * Starts a step unless it was started before, and follows it. The runner is written to the step's folder, so that a step continues with the
 * version it began with.
 */
export const startCommand = (folder: string, start: StepStart, session: Session): Command =>
  shell(
    startScript,
    NAME,
    ...[folder, runnerScript, String(start.timeoutMs / 1000), start.account],
    ...[String(start.scriptBytes ?? '-'), String(start.input.length)],
    ...followWords(folder, session),
  )

export const cancelCommand = (folder: string): Command => shell(cancelScript, NAME, folder)

export const removeCommand = (folder: string): Command => ['rm', '-rf', '--', folder]

const NAME = 'shipway-step'
const runnerScript = loadScript(import.meta.url, 'step', 'run')
const startScript = loadScript(import.meta.url, 'step', 'start', 'follow')
const followScript = loadScript(import.meta.url, 'step', 'follow')
const cancelScript = loadScript(import.meta.url, 'step', 'cancel')
