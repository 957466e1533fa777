// Where something can be completed on the command line, out of the catalogue and of every command's flags.
import { catalogue, type Entry } from './catalogue.ts'
import { flagName } from './command.ts'
import type { Completion } from './completion-script.ts'
import { loadCommand } from './load-command.ts'

export const listCompletions = (): Promise<Completion[]> => spotsOf(catalogue, [])

async function spotsOf(entries: readonly Entry[], path: readonly string[]): Promise<Completion[]> {
  const here: Completion = { path, words: entries.map(({ name, summary }) => ({ name, summary })) }
  const below = await Promise.all(
    entries.map(async (entry) => {
      const inside = [...path, entry.name]
      if (entry.group) return spotsOf(entry.group.entries, inside)
      const { flags } = await loadCommand(inside)
      const words = Object.entries(flags).map(([name, { description }]) => ({
        name: flagName(name),
        summary: description,
      }))
      return [{ path: inside, words: [...words, { name: '--json', summary: 'print the result as JSON' }] }]
    }),
  )
  return [here, ...below.flat()]
}
