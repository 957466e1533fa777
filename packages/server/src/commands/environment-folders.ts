// The words that list and remove what tasks have left in the folders of environments on a server.
import type { Command } from './command.ts'
import { loadScript, shell } from './script.ts'

/** Prints the folder that all of it is in where nobody named another: the home of the platform's user. */
export const findHomeFolder = (): Command => shell(homeScript, 'shipway-find-home')

/**
 * Prints one path a line, from the platform's folder on: `environments/{id}`, its `releases/{task}` and `tasks/{task}`, the
 * `tasks/{task}/{step}` that have not ended, and `repositories/{project}.git`. Of these environments, or of all.
 */
export function listFolders(folder: string, environmentIds?: readonly number[]): Command {
  const patterns = (environmentIds ?? ['*']).map((id) => `environments/${id}`)
  return shell(listScript, 'list', folder, ...patterns, ...(environmentIds ? [] : ['repositories/*.git']))
}

/** Removes these paths below the platform's folder, and prints those that stay because something works in them. */
export const removeFolders = (folder: string, paths: readonly string[]): Command =>
  shell(removeScript, 'remove', folder, ...paths)

/** Removes what is left in the folder of an environment, such as its variables, but for kept output, unless a task has something there. */
export const emptyFolder = (folder: string, environmentId: number): Command =>
  shell(emptyScript, 'empty', `${folder}/environments/${environmentId}`)

const listScript = loadScript(import.meta.url, 'list-folders')
const removeScript = loadScript(import.meta.url, 'remove-folders')
const emptyScript = loadScript(import.meta.url, 'empty-folder')
const homeScript = loadScript(import.meta.url, 'find-home')

/** Prints the folder of each task whose files are kept, below the platform's folder. */
export const listArtifactFolders = (folder: string): Command => shell(artifactsScript, 'list-artifacts', folder)

const artifactsScript = loadScript(import.meta.url, 'list-artifacts')
