// Every command as the reference of the documentation shows it: from the same definitions as the help.
import { catalogue } from './catalogue.ts'
import { type Command, type Example, type Flags, flagName, GLOBAL_FLAGS } from './command.ts'
import { type CommandEntry, isGroup } from './command-entry.ts'

type Row = { readonly name: string; readonly description: string }

export type CommandReference = {
  /** Without the name of the program: `vars set`. */
  readonly name: string
  readonly summary: string
  readonly usage: string
  readonly notes: string | undefined
  readonly words: readonly Row[]
  readonly flags: readonly Row[]
  readonly examples: readonly Example[]
}

/** A command that stands alone is a group of its own. */
type CommandGroupReference = {
  readonly name: string
  readonly summary: string
  readonly isAlone: boolean
  readonly commands: readonly CommandReference[]
}

/** In the order of the help. */
export const listCommandGroups = (): Promise<readonly CommandGroupReference[]> =>
  Promise.all(
    catalogue.map(async (entry) => {
      const { name, summary } = entry
      const commands = isGroup(entry)
        ? entry.commands.map((each) => referenceOf(`${name} ${each.name}`, each))
        : [referenceOf(name, entry)]
      return { name, summary, isAlone: !isGroup(entry), commands: await Promise.all(commands) }
    }),
  )

export const globalFlags = (): readonly Row[] => rowsOf(GLOBAL_FLAGS)

async function referenceOf(name: string, { summary, load }: CommandEntry): Promise<CommandReference> {
  const { words = [], flags, notes, examples }: Command = await load()
  const places = words.map((word) => (word.name.startsWith('[') ? word.name : `<${word.name}>`))
  return {
    name,
    summary,
    usage: ['shipway', name, ...places, '[flags]'].join(' '),
    notes,
    words: words.map(({ description }, index) => ({ name: places[index] ?? '', description })),
    flags: rowsOf(flags),
    examples,
  }
}

const rowsOf = (flags: Flags): readonly Row[] =>
  Object.entries(flags).map(([name, { short, value, description, choices }]) => ({
    name: `${short ? `-${short}, ` : ''}${flagName(name)}${value ? ` <${value}>` : ''}`,
    description: choices ? `${description} (${choices.join(', ')})` : description,
  }))
