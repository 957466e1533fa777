// The constant scripts of a durable step, as commands. What differs from step to step goes by words and by standard input.
import { readFileSync } from 'node:fs'
import type { Command } from '../../commands/command.ts'

/** The runner is written into the folder of the step, so that a step goes on with the script it began with. */
export const startCommand = (
  folder: string,
  step: { timeoutMs: number; user: string; scriptBytes?: number; bytes: number },
): Command =>
  shell(
    startScript,
    ...[folder, runnerScript, String(step.timeoutMs / 1000), step.user],
    ...[String(step.scriptBytes ?? '-'), String(step.bytes)],
  )

/** How much and how long one session follows: polls are a tenth of a second apart, quick ones come before them. */
export type SessionLimits = { readonly bytes: number; readonly polls: number; readonly quickPolls: number }

export const followCommand = (folder: string, from: number, { bytes, polls, quickPolls }: SessionLimits): Command =>
  shell(followScript, folder, ...[from, bytes, polls, quickPolls].map(String))

export const cancelCommand = (folder: string): Command => shell(cancelScript, folder)

export const removeCommand = (folder: string): Command => ['rm', '-rf', '--', folder]

const runnerScript = `${script('step')}\n${script('run')}`
const startScript = script('start')
const followScript = `${script('step')}\n${script('follow')}`
const cancelScript = `${script('step')}\n${script('cancel')}`

function shell(text: string, ...words: string[]): Command {
  return ['sh', '-c', text, 'shipway-step', ...words]
}

/** Without the comments: they are for readers of the files, not for the process lists of servers. */
function script(name: string): string {
  return readFileSync(new URL(`scripts/${name}.sh`, import.meta.url), 'utf8').replaceAll(/^ *#.*\n/gm, '')
}
