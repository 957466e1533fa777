// The one loader of shell scripts. A script is a constant file; what differs from run to run goes by words and by standard input.
import { readFileSync } from 'node:fs'
import type { Command } from './command.ts'

/**
 * The text of scripts in the folder `scripts` beside a module, one behind the other. Without the comments: they are for readers of the
 * files, not for the process lists of servers.
 */
export function loadScript(moduleUrl: string, ...names: readonly string[]): string {
  const text = loadCommented(moduleUrl, ...names).replaceAll(/^ *#.*\n/gm, '')
  loaded.add(text)
  return text
}

/** Scripts of several folders as one. */
export function joinScripts(...texts: readonly string[]): string {
  const text = texts.join('')
  loaded.add(text)
  return text
}

const loaded = new Set<string>()

/** Is the word the text of a script: one that comes again and again, and holds nothing of anybody? */
export const isScript = (word: string): boolean => loaded.has(word)

/** The same with the comments, for a script that people are shown. */
export function loadCommented(moduleUrl: string, ...names: readonly string[]): string {
  return names.map((name) => readFileSync(new URL(`scripts/${name}.sh`, moduleUrl), 'utf8')).join('')
}

/** `name` is what the script calls itself, and what process lists show first. */
export function shell(script: string, name: string, ...words: readonly string[]): Command {
  return ['sh', '-c', script, name, ...words]
}
