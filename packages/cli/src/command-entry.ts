// An entry of the catalogue: a command, or a group of commands. The file of a command is loaded when it is called.
import type { Command, Example } from './command.ts'

export type CommandEntry = {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Command>
}

export type CommandGroup = {
  readonly name: string
  /** An earlier name, which still works and is not listed. */
  readonly alias?: string
  readonly summary: string
  readonly examples: readonly [Example, ...Example[]]
  readonly commands: readonly CommandEntry[]
}

export const entry = (name: string, summary: string, load: CommandEntry['load']): CommandEntry => ({
  name,
  summary,
  load,
})

export const isGroup = (entry: CommandEntry | CommandGroup): entry is CommandGroup => 'commands' in entry
