// Every command of the client: usage, arguments, flags and examples.
import { type CommandReference, globalFlags, listCommandGroups } from '@shipway/cli/command-reference'
import { code, fence, plain, table } from './markdown.ts'

export async function commandSections(): Promise<string> {
  const groups = await listCommandGroups()
  const parts = groups.flatMap(({ name, summary, isAlone, commands }) =>
    isAlone
      ? commands.flatMap((command) => commandSection(command, '##'))
      : [`## shipway ${name}`, `${plain(summary)}.`, ...commands.flatMap((command) => commandSection(command, '###'))],
  )
  return ['## Flags of every command', rows(globalFlags(), 'flag'), ...parts].join('\n\n')
}

function commandSection({ name, summary, usage, notes, words, flags, examples }: CommandReference, level: string) {
  return [
    `${level} shipway ${name}`,
    `${plain(summary)}.`,
    fence([usage]),
    ...(notes === undefined ? [] : [plain(notes.replaceAll('\n', ' '))]),
    ...(words.length > 0 ? [rows(words, 'argument')] : []),
    ...(flags.length > 0 ? [rows(flags, 'flag')] : []),
    examples.map(([line, meaning]) => `- ${code(line)}: ${plain(meaning)}`).join('\n'),
  ]
}

const rows = (all: readonly { readonly name: string; readonly description: string }[], what: string): string =>
  table(
    [what, 'meaning'],
    all.map(({ name, description }) => [code(name), plain(description)]),
  )
