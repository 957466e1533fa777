// Finds the command that the first words of the command line name.
import { UnknownArgument } from './argument-error.ts'
import { catalogue } from './catalogue.ts'
import { flagName, GLOBAL_FLAGS } from './command.ts'
import { type CommandEntry, type CommandGroup, isGroup } from './command-entry.ts'

export type FoundCommand = {
  readonly path: readonly string[]
  /** Undefined for the program itself; a group if no command of it is named. */
  readonly entry: CommandEntry | CommandGroup | undefined
  /** The arguments of the command. */
  readonly rest: readonly string[]
}

type Entries = readonly (CommandEntry | CommandGroup)[]

/** Global flags may also stand before the command. */
export function findCommand(
  argv: readonly string[],
  entries: Entries = catalogue,
  path: readonly string[] = [],
): FoundCommand {
  const index = firstWord(argv)
  const name = argv[index]
  if (name === undefined) return { path, entry: undefined, rest: argv }
  const entry = entries.find((each) => each.name === name || (isGroup(each) && each.alias === name))
  if (!entry) throw UnknownArgument({ kind: 'command', given: name, known: entries.map((each) => each.name) }, path)
  const rest = argv.toSpliced(index, 1)
  const inside = [...path, entry.name]
  if (!isGroup(entry)) return { path: inside, entry, rest }
  const found = findCommand(rest, entry.commands, inside)
  return found.entry ? found : { ...found, entry }
}

function firstWord(argv: readonly string[]): number {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') return argv.length
    if (!word.startsWith('-')) return index
    const [, flag] = Object.entries(GLOBAL_FLAGS).find(([name]) => word === flagName(name)) ?? []
    if (flag && 'value' in flag) index++
  }
  return argv.length
}
