// The constant scripts of a durable step, as commands. What differs from step to step goes by words and by standard input.
import type { Command } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'

/** The runner is written into the folder of the step, so that a step goes on with the script it began with. */
export const startCommand = (
  folder: string,
  step: { timeoutMs: number; user: string; scriptBytes?: number; bytes: number },
): Command =>
  shell(
    startScript,
    NAME,
    ...[folder, runnerScript, String(step.timeoutMs / 1000), step.user],
    ...[String(step.scriptBytes ?? '-'), String(step.bytes)],
  )

/** How much and how long one session follows: polls are a tenth of a second apart, quick ones come before them. */
export type SessionLimits = { readonly bytes: number; readonly polls: number; readonly quickPolls: number }

export const followCommand = (folder: string, from: number, { bytes, polls, quickPolls }: SessionLimits): Command =>
  shell(followScript, NAME, folder, ...[from, bytes, polls, quickPolls].map(String))

export const cancelCommand = (folder: string): Command => shell(cancelScript, NAME, folder)

export const removeCommand = (folder: string): Command => ['rm', '-rf', '--', folder]

const NAME = 'shipway-step'
const runnerScript = loadScript(import.meta.url, 'step', 'run')
const startScript = loadScript(import.meta.url, 'start')
const followScript = loadScript(import.meta.url, 'step', 'follow')
const cancelScript = loadScript(import.meta.url, 'step', 'cancel')
