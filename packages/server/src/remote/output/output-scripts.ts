// The constant scripts that keep what services print on a server, bound it and read it, as commands. `folder` is that of the kept output
// of one environment, unless something else is said.
import type { Command } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'
import { type Account, accountOutput, accountProgram } from '../accounts/account.ts'

/** How long and how much is kept for each environment; the oldest goes first. */
export type OutputBounds = { readonly days: number; readonly bytes: number }

/** Stops them first. Prints a sentence for each container of which something is not kept. */
export const keepContainers = (folder: string, bounds: OutputBounds, containers: readonly string[]): Command =>
  shell(keepContainersScript, 'shipway-keep-output', folder, ...wordsOf(bounds), ...containers)

/** For a container that something else removes: goes on by itself until the container ends. */
export const followContainer = (folder: string, { bytes }: OutputBounds, container: string): Command =>
  shell(followScript, 'shipway-follow-output', folder, String(bytes), container)

/** Of the manual recipe: what services have printed into files of tasks before this one. Prints sentences as well. */
export const keepFiles = (
  folder: string,
  bounds: OutputBounds,
  { taskId, account }: { readonly taskId: number; readonly account: Account | null },
): Command =>
  shell(
    keepFilesScript,
    'shipway-keep-files',
    ...[folder, ...wordsOf(bounds), String(taskId)],
    ...(account ? [accountOutput(account), accountProgram(account), String(account.environmentId)] : []),
  )

/** Of all environments; `serverFolder` is the platform's. */
export const boundOutput = (serverFolder: string, bounds: OutputBounds): Command =>
  shell(boundScript, 'shipway-bound-output', serverFolder, ...wordsOf(bounds))

/** The program that a certificate for logs runs. */
export const readerProgram = loadScript(
  import.meta.url,
  ...['kept-output', 'read-output', 'follow-output', 'begin-reading'],
)

const wordsOf = ({ days, bytes }: OutputBounds): string[] => [String(days), String(bytes)]

const keeping = ['kept-output', 'store-output', 'bound-output'] as const
const keepContainersScript = loadScript(import.meta.url, ...keeping, 'keep-containers')
const keepFilesScript = loadScript(import.meta.url, ...keeping, 'keep-files')
const followScript = loadScript(import.meta.url, 'kept-output', 'follow-container')
const boundScript = loadScript(import.meta.url, 'bound-output', 'bound-all')
