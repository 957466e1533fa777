// Which command the first words of the command line mean.

import { UnknownArgument } from './argument-error.ts'
import { catalogue, type Entry } from './catalogue.ts'
import { flagName, GLOBAL_FLAGS } from './command.ts'

/** Without an entry it is the program itself. */
export type FoundCommand = {
  readonly path: readonly string[]
  readonly entry: Entry | undefined
  /** The words that are left. */
  readonly rest: readonly string[]
}

/** Flags that every command has may stand before it, too. */
export function findCommand(argv: readonly string[], entries = catalogue, path: readonly string[] = []): FoundCommand {
  const index = firstWord(argv)
  const name = argv[index]
  if (name === undefined) return { path, entry: undefined, rest: argv }
  const entry = entries.find((each) => each.name === name)
  if (!entry) throw UnknownArgument({ kind: 'command', given: name, known: entries.map((each) => each.name) }, path)
  const rest = argv.toSpliced(index, 1)
  const inside = [...path, name]
  if (!entry.group) return { path: inside, entry, rest }
  const below = findCommand(rest, entry.group.entries, inside)
  return below.entry ? below : { ...below, entry }
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
