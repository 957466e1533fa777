// Everything that a shell can complete: the catalogue, and the flags of every command.
import { catalogue } from './catalogue.ts'
import { flagName } from './command.ts'
import { type CommandEntry, type CommandGroup, isGroup } from './command-entry.ts'
import type { Completion } from './completion-script.ts'

export const listCompletions = (): Promise<Completion[]> => completionsOf(catalogue, [])

async function completionsOf(
  entries: readonly (CommandEntry | CommandGroup)[],
  path: readonly string[],
): Promise<Completion[]> {
  const here: Completion = { path, words: entries.map(({ name, summary }) => ({ name, summary })) }
  const below = await Promise.all(
    entries.map(async (entry) => {
      if (isGroup(entry)) {
        const names = entry.alias === undefined ? [entry.name] : [entry.name, entry.alias]
        return (await Promise.all(names.map((name) => completionsOf(entry.commands, [...path, name])))).flat()
      }
      const { flags } = await entry.load()
      const words = Object.entries(flags).map(([name, { description }]) => ({
        name: flagName(name),
        summary: description,
      }))
      return [
        { path: [...path, entry.name], words: [...words, { name: '--json', summary: 'print the result as JSON' }] },
      ]
    }),
  )
  return [here, ...below.flat()]
}
