// The constant scripts of the docker recipe, as commands. What differs goes by words.
import { readFileSync } from 'node:fs'
import type { Command } from '../../commands/command.ts'

export type ScriptName =
  | 'build-group'
  | 'build-images'
  | 'change-build-group'
  | 'check-disk'
  | 'connect-container'
  | 'create-container'
  | 'find-images'
  | 'list-containers'
  | 'list-environments'
  | 'list-tasks'
  | 'prune'
  | 'pull-images'
  | 'remove-containers'
  | 'remove-everything'
  | 'remove-files'
  | 'remove-images'
  | 'rename-images'
  | 'rest-containers'
  | 'tag-images'
  | 'take-name'
  | 'wait-until-ready'

export function dockerScript(name: ScriptName, ...words: readonly string[]): Command {
  return ['sh', '-c', scriptText(name), `shipway-${name}`, ...words]
}

/** These call the function of the other file. */
const FROM_AS_ROOT: readonly ScriptName[] = ['change-build-group', 'remove-files']

export function scriptText(name: ScriptName): string {
  return FROM_AS_ROOT.includes(name) ? `${textOf('as-root')}${textOf(name)}` : textOf(name)
}

const texts = new Map<string, string>()

/** Without the comments: they are for readers of the files, not for the process lists of servers. */
function textOf(name: ScriptName | 'as-root'): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`scripts/${name}.sh`, import.meta.url), 'utf8').replaceAll(/^ *#.*\n/gm, '')
  texts.set(name, text)
  return text
}
