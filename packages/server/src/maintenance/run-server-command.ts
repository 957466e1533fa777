// Runs `shipway-server` with arguments: finds the command, runs it, and returns its exit code.
import { parseArgs } from 'node:util'
import { safeText } from '@shipway/rules/safe-text'
import { CannotStart } from '../domain/cannot-start.ts'
import { backUp } from './back-up.ts'
import { type Command, EXIT, type Flags, type Io } from './command.ts'
import { deleteUser } from './delete-user.ts'
import { doctor } from './doctor/doctor.ts'
import { migrateDatabase } from './migrate-database.ts'
import { removeSecondFactor } from './remove-second-factor.ts'
import { resetPassword } from './reset-password.ts'
import { restore } from './restore.ts'
import { resume } from './resume.ts'
import { rotateKeys } from './rotate-keys.ts'
import { upgrade } from './upgrade/upgrade.ts'

const COMMANDS: readonly Command[] = [
  ...[backUp, restore, resume, migrateDatabase, rotateKeys, upgrade],
  ...[resetPassword, removeSecondFactor, deleteUser, doctor],
]

/** Settings are read only when a command needs them, so that help works with wrong settings, too. */
export async function runServerCommand(words: readonly string[], openIo: () => Io, given: Printer): Promise<number> {
  const printer = safePrinter(given)
  if (words.length === 0 || isHelp(words[0])) return say(printer, helpOfAll())
  const help = words.some(isHelp) && findCommand(words)
  if (help) return say(printer, helpOf(help))
  const read = readServerCommand(words)
  if (typeof read === 'string') return refuse(printer, read)
  try {
    return await read.command.run({ ...openIo(), ...printer }, read.words, read.flags)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    printer.note(error.message)
    return EXIT.failed
  }
}

/** Returns a sentence if there is no such command, or its arguments are wrong. */
export function readServerCommand(words: readonly string[]): (Call & { readonly command: Command }) | string {
  const command = findCommand(words)
  if (!command) return `There is no command ${words.join(' ')}. See: shipway-server --help`
  const names = namesOf(command.usage)
  const call = readCall(command, words.slice(names.length))
  return typeof call === 'string' ? `${call} See: shipway-server ${names.join(' ')} --help` : { ...call, command }
}

const findCommand = (words: readonly string[]): Command | undefined =>
  COMMANDS.find(({ usage }) => namesOf(usage).every((name, index) => words[index] === name))

export type Printer = Pick<Io, 'say' | 'note'>

/** Output may quote an unverified file, a record or a program: control characters must not reach the terminal. */
const safePrinter = ({ say, note }: Printer): Printer => ({
  say: (line) => say(safeText(line)),
  note: (line) => note(safeText(line)),
})

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h' || word === 'help'

const namesOf = (usage: string): readonly string[] => usage.split(' ').filter((word) => !/^[<[]/.test(word))
const argumentsOf = (usage: string): readonly string[] => usage.split(' ').filter((word) => word.startsWith('<'))
const optionalOf = (usage: string): readonly string[] => usage.split(' ').filter((word) => word.startsWith('['))

type Call = { readonly words: readonly string[]; readonly flags: Flags }

/** Returns a sentence if the arguments are wrong. */
function readCall({ usage, flags = {} }: Command, rest: readonly string[]): Call | string {
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'boolean' }] as const))
  const { tokens, positionals } = parseArgs({
    args: [...rest],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const given = tokens.filter(({ kind }) => kind === 'option')
  const unknown = given.find(
    (token) => token.kind === 'option' && (!(token.name in flags) || token.value !== undefined),
  )
  if (unknown?.kind === 'option') return `${unknown.rawName} is not known here.`
  const extra = positionals.length - argumentsOf(usage).length
  if (extra < 0 || extra > optionalOf(usage).length) return `Write it as: shipway-server ${usage}.`
  return {
    words: positionals,
    flags: Object.fromEntries(given.map((token) => [token.kind === 'option' ? token.name : '', true])),
  }
}

function say(printer: Printer, text: string): number {
  printer.say(text)
  return EXIT.done
}

function refuse(printer: Printer, text: string): number {
  printer.note(text)
  return EXIT.usage
}

function helpOfAll(): string {
  const width = Math.max(...COMMANDS.map(({ usage }) => usage.length))
  return [
    'shipway-server starts the platform; with a command it does that and ends:',
    '',
    ...COMMANDS.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`),
    '',
    'Settings come from the environment, as for the platform itself (docs/settings.md).',
    'Exit codes: 0 done, 1 failed or something found, 2 not understood.',
    'shipway-server <command> --help shows flags and examples.',
  ].join('\n')
}

function helpOf({ usage, summary, flags = {}, examples }: Command): string {
  const listed = Object.entries(flags).map(([name, meaning]) => `  --${name}  ${meaning}`)
  return [
    `shipway-server ${usage}`,
    summary,
    ...(listed.length > 0 ? ['', ...listed] : []),
    ...['', 'Examples:', ...examples.map((example) => `  ${example}`)],
  ].join('\n')
}
