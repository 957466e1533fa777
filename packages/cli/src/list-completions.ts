// Everything that a shell can complete: the catalogue, and the flags of every command.
import { type CommandEntry, type CommandGroup, catalogue, isGroup } from './catalogue.ts'
import { flagName } from './command.ts'
import type { Completion } from './completion-script.ts'

export const listCompletions = (): Promise<Completion[]> => completionsOf(catalogue, [])

async function completionsOf(
  entries: readonly (CommandEntry | CommandGroup)[],
  path: readonly string[],
): Promise<Completion[]> {
  const here: Completion = { path, words: entries.map(({ name, summary }) => ({ name, summary })) }
  const below = await Promise.all(
    entries.map(async (entry) => {
      const inside = [...path, entry.name]
      if (isGroup(entry)) return completionsOf(entry.commands, inside)
      const { flags } = await entry.load()
      const words = Object.entries(flags).map(([name, { description }]) => ({
        name: flagName(name),
        summary: description,
      }))
      return [{ path: inside, words: [...words, { name: '--json', summary: 'print the result as JSON' }] }]
    }),
  )
  return [here, ...below.flat()]
}
