// Commands that keep, limit and read the logs of services on a server, from constant scripts. `folder` holds the kept output of one
// environment, unless a comment says otherwise.
import type { RuntimeName } from '@shipway/api/values/runtime'
import type { Command } from '../../commands/command.ts'
import { holdScript } from '../../commands/docker/script.ts'
import { joinScripts, loadScript, shell } from '../../commands/script.ts'
import { type Account, accountOutput, accountProgram } from '../accounts/account.ts'

/** Limits for each environment; the oldest output is removed first. */
export type OutputLimits = { readonly days: number; readonly bytes: number }

/** Stops the containers first. Prints a sentence for each container whose output is not completely kept. */
export const keepContainers = (folder: string, limits: OutputLimits, containers: readonly string[]): Command =>
  shell(keepContainersScript, 'shipway-keep-output', folder, ...wordsOf(limits), ...containers)

/** The same for services of a Swarm, which go on. */
export const keepTasks = (folder: string, limits: OutputLimits, services: readonly string[]): Command =>
  shell(keepTasksScript, 'shipway-keep-output', folder, ...wordsOf(limits), ...services)

/** For a container that another program will remove: runs in the background until the container ends. */
export const followContainer = (folder: string, { bytes }: OutputLimits, container: string): Command =>
  shell(followScript, 'shipway-follow-output', folder, String(bytes), container)

/** Keeps the log files of services of the manual recipe from tasks before this one. Prints sentences as well. */
export const keepFiles = (
  folder: string,
  limits: OutputLimits,
  { taskId, account }: { readonly taskId: number; readonly account: Account | null },
): Command =>
  shell(
    keepFilesScript,
    'shipway-keep-files',
    ...[folder, ...wordsOf(limits), String(taskId)],
    ...(account ? [accountOutput(account), accountProgram(account), String(account.environmentId)] : []),
  )

/** Applies the limits to all environments; `serverFolder` is the platform's. */
export const trimOutput = (serverFolder: string, limits: OutputLimits): Command =>
  shell(trimScript, 'shipway-trim-output', serverFolder, ...wordsOf(limits))

const reading = ['kept-output', 'read-output', 'connection', 'follow-output'] as const

/** The programs that a certificate for logs runs. */
export const readerPrograms: Readonly<Record<RuntimeName, string>> = {
  compose: loadScript(import.meta.url, ...reading, 'begin-reading'),
  swarm: loadScript(import.meta.url, ...reading, 'swarm-tasks', 'begin-reading'),
}

/** The program that a certificate for a one-off command runs. */
export const runContainerProgram = joinScripts(
  holdScript,
  loadScript(import.meta.url, 'connection', 'run-held', 'run-container'),
)

const wordsOf = ({ days, bytes }: OutputLimits): string[] => [String(days), String(bytes)]

const keeping = ['kept-output', 'store-output', 'trim-output'] as const
const keepContainersScript = loadScript(import.meta.url, ...keeping, 'keep-containers')
const keepTasksScript = loadScript(import.meta.url, ...keeping, 'keep-tasks')
const keepFilesScript = loadScript(import.meta.url, ...keeping, 'keep-files')
const followScript = loadScript(import.meta.url, 'kept-output', 'follow-container')
const trimScript = loadScript(import.meta.url, 'trim-output', 'trim-all')
