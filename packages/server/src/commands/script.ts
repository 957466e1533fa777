// The only loader of shell scripts. A script is a constant file; everything variable is passed as arguments and on standard input.
import { readFileSync } from 'node:fs'
import type { Command } from './command.ts'

/** Concatenates scripts from the folder `scripts` beside a module, without comments, which would only fill the process lists of servers. */
export function loadScript(moduleUrl: string, ...names: readonly string[]): string {
  const text = loadCommented(moduleUrl, ...names).replaceAll(/^ *#.*\n/gm, '')
  loaded.add(text)
  return text
}

/** Joins scripts from several folders. */
export function joinScripts(...texts: readonly string[]): string {
  const text = texts.join('')
  loaded.add(text)
  return text
}

const loaded = new Set<string>()

/** Whether a word is the text of a loaded script: it is used often and contains no user data. */
export const isScript = (word: string): boolean => loaded.has(word)

/** The same with comments, for a script that people read. */
export function loadCommented(moduleUrl: string, ...names: readonly string[]): string {
  return names.map((name) => readFileSync(new URL(`scripts/${name}.sh`, moduleUrl), 'utf8')).join('')
}

/** `name` becomes $0, which process lists show first. */
export function shell(script: string, name: string, ...words: readonly string[]): Command {
  return ['sh', '-c', script, name, ...words]
}
