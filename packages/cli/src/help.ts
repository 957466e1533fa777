// The help texts of the program, of a group of commands, and of one command.
import { type Command, type Example, type Flags, flagName, GLOBAL_FLAGS } from './command.ts'
import type { CommandEntry, CommandGroup } from './command-entry.ts'
import { listExitCodes } from './exit-code.ts'
import { wrap } from './terminal/wrap.ts'

type Row = readonly [left: string, right: string]

export function helpOfProgram(entries: readonly (CommandEntry | CommandGroup)[], columns: number): string {
  return sections(columns, [
    'Usage: shipway <command> [flags]',
    'Deploy applications from their repositories to your own servers.',
    { title: 'Commands', rows: entries.map(({ name, summary }) => [name, summary]) },
    { title: 'Flags', rows: [...flagRows(GLOBAL_FLAGS), ...PROGRAM_ROWS] },
    examplesOf([
      ['shipway login https://ship.example.com', 'Sign in'],
      ['shipway deploy -p bookshop -e staging --wait', 'Deploy, wait, and print the address'],
      ['shipway diagnose -p bookshop -e staging', 'See why the last deployment failed'],
    ]),
    'Each command has its own help: shipway deploy --help',
    'In CI, set SHIPWAY_URL and SHIPWAY_TOKEN (a personal token). SHIPWAY_ORG limits commands to one organization.',
    `Exit codes: ${listExitCodes().join(', ')}.`,
  ])
}

export function helpOfGroup({ name, summary, examples, commands }: CommandGroup, columns: number): string {
  return sections(columns, [
    `Usage: shipway ${name} <command> [flags]`,
    `${summary}.`,
    { title: 'Commands', rows: commands.map((each) => [each.name, each.summary]) },
    examplesOf(examples),
    `Each command has its own help: shipway ${name} ${commands[0]?.name} --help`,
  ])
}

export function helpOfCommand(
  name: string,
  { summary, command }: { summary: string; command: Command },
  columns: number,
) {
  const words = (command.words ?? []).map((word) => (word.name.startsWith('[') ? word.name : `<${word.name}>`))
  return sections(columns, [
    `Usage: ${['shipway', name, ...words, '[flags]'].join(' ')}`,
    `${summary}.`,
    ...(command.notes === undefined ? [] : [command.notes]),
    ...(command.words
      ? [{ title: 'Arguments', rows: command.words.map((word, index): Row => [words[index] ?? '', word.description]) }]
      : []),
    { title: 'Flags', rows: [...flagRows(command.flags), ...flagRows(GLOBAL_FLAGS), HELP_ROW] },
    examplesOf(command.examples),
  ])
}

const HELP_ROW: Row = ['-h, --help', 'print this help']
const PROGRAM_ROWS: readonly Row[] = [HELP_ROW, ['-V, --version', 'print the version']]

type Section = string | { readonly title: string; readonly rows: readonly Row[] }

const examplesOf = (examples: readonly Example[]): string =>
  `Examples:\n${examples.map(([line, meaning]) => `  ${line}\n      ${meaning}`).join('\n')}`

function flagRows(flags: Flags): Row[] {
  return Object.entries(flags).map(([name, { short, value, description, choices }]) => {
    const left = `${short ? `-${short}, ` : '    '}${flagName(name)}${value ? ` <${value}>` : ''}`
    return [left, choices ? `${description} (${choices.join(', ')})` : description]
  })
}

function sections(columns: number, parts: readonly Section[]): string {
  const texts = parts.map((part) => {
    if (typeof part !== 'string') return `${part.title}:\n${rowLines(part.rows, columns).join('\n')}`
    return part.startsWith('Examples:') ? part : wrap(part, columns).join('\n')
  })
  return `${texts.join('\n\n')}\n`
}

function rowLines(rows: readonly Row[], columns: number): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.flatMap(([left, right]) => {
    const lines = wrap(right, columns - width - 4)
    return lines.map((line, index) => `  ${(index === 0 ? left : '').padEnd(width)}  ${line}`)
  })
}
