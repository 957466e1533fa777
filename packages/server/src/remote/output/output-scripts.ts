// Commands that keep, limit and read the logs of services on a server, from constant scripts. `folder` holds the kept output of one
// environment, unless a comment says otherwise.
import type { Command } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'
import { type Account, accountOutput, accountProgram } from '../accounts/account.ts'

/** Limits for each environment; the oldest output is removed first. */
export type OutputBounds = { readonly days: number; readonly bytes: number }

/** Stops the containers first. Prints a sentence for each container whose output is not completely kept. */
export const keepContainers = (folder: string, bounds: OutputBounds, containers: readonly string[]): Command =>
  shell(keepContainersScript, 'shipway-keep-output', folder, ...wordsOf(bounds), ...containers)

/** For a container that another program will remove: runs in the background until the container ends. */
export const followContainer = (folder: string, { bytes }: OutputBounds, container: string): Command =>
  shell(followScript, 'shipway-follow-output', folder, String(bytes), container)

/** Keeps the log files of services of the manual recipe from tasks before this one. Prints sentences as well. */
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

/** Applies the limits to all environments; `serverFolder` is the platform's. */
export const boundOutput = (serverFolder: string, bounds: OutputBounds): Command =>
  shell(boundScript, 'shipway-bound-output', serverFolder, ...wordsOf(bounds))

/** The program that a certificate for logs runs. */
export const readerProgram = loadScript(
  import.meta.url,
  ...['kept-output', 'read-output', 'connection', 'follow-output', 'begin-reading'],
)

/** The program that a certificate for a one-off command runs. */
export const runContainerProgram = loadScript(import.meta.url, 'connection', 'run-container')

const wordsOf = ({ days, bytes }: OutputBounds): string[] => [String(days), String(bytes)]

const keeping = ['kept-output', 'store-output', 'bound-output'] as const
const keepContainersScript = loadScript(import.meta.url, ...keeping, 'keep-containers')
const keepFilesScript = loadScript(import.meta.url, ...keeping, 'keep-files')
const followScript = loadScript(import.meta.url, 'kept-output', 'follow-container')
const boundScript = loadScript(import.meta.url, 'bound-output', 'bound-all')
