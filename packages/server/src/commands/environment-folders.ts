// Commands that list and remove files of tasks in the folders of environments on a server.
import type { Command } from './command.ts'
import { loadScript, shell } from './script.ts'

/** Prints the home of the platform's user, which is the default place for the platform's folder. */
export const findHomeFolder = (): Command => shell(homeScript, 'shipway-find-home')

/**
 * Prints one path per line, relative to the platform's folder: `environments/{id}`, its `releases/{task}` and `tasks/{task}`, the
 * `tasks/{task}/{step}` that have not ended, and `repositories/{project}.git`. For these environments, or for all.
 */
export function listFolders(folder: string, environmentIds?: readonly number[]): Command {
  const patterns = (environmentIds ?? ['*']).map((id) => `environments/${id}`)
  return shell(listScript, 'list', folder, ...patterns, ...(environmentIds ? [] : ['repositories/*.git']))
}

/** Removes these paths below the platform's folder, and prints those that stay because a process uses them. */
export const removeFolders = (folder: string, paths: readonly string[]): Command =>
  shell(removeScript, 'remove', folder, ...paths)

/** Removes the remaining files of an environment, such as its variables, but keeps its logs. Does nothing if a task has files there. */
export const emptyFolder = (folder: string, environmentId: number): Command =>
  shell(emptyScript, 'empty', `${folder}/environments/${environmentId}`)

const listScript = loadScript(import.meta.url, 'list-folders')
const removeScript = loadScript(import.meta.url, 'remove-folders')
const emptyScript = loadScript(import.meta.url, 'empty-folder')
const homeScript = loadScript(import.meta.url, 'find-home')

/** Prints the folder of each task with kept files, below the platform's folder. */
export const listArtifactFolders = (folder: string): Command => shell(artifactsScript, 'list-artifacts', folder)

const artifactsScript = loadScript(import.meta.url, 'list-artifacts')
