// The catalogue as a program of commander: parsed, helped with, and handed on to the command that was meant.
import { Command as CommanderCommand, Option } from 'commander'
import { catalogue, type Entry } from './catalogue.ts'
import type { Command, Flag } from './command.ts'
import type { GlobalFlags } from './context.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { VERSION } from './version.ts'

export type Call = {
  readonly command: Command
  readonly words: readonly string[]
  readonly flags: object
  readonly globals: GlobalFlags
}

type Streams = { readonly out: (text: string) => void; readonly err: (text: string) => void }

/** Help goes out by the streams. What cannot be parsed is thrown as a `CommanderError`. */
export async function parseCommandLine(argv: readonly string[], streams: Streams): Promise<Call | undefined> {
  const calls: Call[] = []
  const program = outline(new CommanderCommand('shipway'), catalogue, (call) => calls.push(call))
  program
    .description('Deploys applications from their repositories onto your own servers.')
    .version(`shipway ${VERSION}`, '-V, --version', 'print the version')
    .option('--json', 'print the result as JSON, and an error as a problem (RFC 9457)')
    .option('--url <address>', 'the platform, instead of the one of the last sign-in')
    .option('--org <organization>', 'name or id of the organization to stay within')
    .option('--debug', 'print where an error came from')
    .addHelpText('after', PROGRAM_NOTES)
  for (const part of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    part
      .exitOverride()
      .helpCommand(false)
      .helpOption('-h, --help', 'print this help')
      .configureHelp({ showGlobalOptions: true })
      .configureOutput({ writeOut: streams.out, writeErr: streams.err, outputError: () => undefined })
  }
  await program.parseAsync(asHelpFlag(argv), { from: 'user' })
  return calls[0]
}

/** `shipway help deploy` is `shipway deploy --help`. */
const asHelpFlag = (argv: readonly string[]): string[] =>
  argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv]

function outline(parent: CommanderCommand, entries: readonly Entry[], onCall: (call: Call) => void): CommanderCommand {
  const loaders = new Map<CommanderCommand, () => Promise<Command>>()
  for (const entry of entries) {
    const child = parent.command(entry.name).description(entry.summary)
    if ('entries' in entry) outline(child.addHelpText('after', helpAfter(entry)), entry.entries, onCall)
    else loaders.set(child, entry.load)
  }
  return parent.hook('preSubcommand', async (_parent, child) => {
    const load = loaders.get(child)
    if (load) define(child, await load(), onCall)
  })
}

function define(child: CommanderCommand, command: Command, onCall: (call: Call) => void): void {
  for (const { name, description } of command.words ?? []) {
    child.argument(name.startsWith('[') ? name : `<${name}>`, description)
  }
  for (const [name, flag] of Object.entries(command.flags)) child.addOption(optionOf(name, flag))
  child.addHelpText('after', helpAfter(command)).action(() => {
    onCall({ command, words: child.args, flags: flagsOf(command, child.opts()), globals: globalsOf(child) })
  })
}

const globalsOf = (child: CommanderCommand): GlobalFlags => child.optsWithGlobals<GlobalFlags>()

/** A flag that was not given is `false`, and one that may come several times is a list. */
function flagsOf({ flags }: Command, given: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(flags).map(([name, flag]) => {
    const fallback = flag.isRepeatable ? [] : flag.value === undefined ? false : undefined
    return [name, given[name] ?? fallback]
  })
  return Object.fromEntries(entries)
}

function optionOf(name: string, { short, value, description, ...flag }: Flag): Option {
  const long = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const option = new Option(`${short ? `-${short}, ` : ''}--${long}${value ? ` <${value}>` : ''}`, description)
  option.attributeName = () => name
  // A flag that begins with --no- is one like any other.
  option.negate = false
  if (flag.choices) option.choices([...flag.choices])
  if (flag.isRequired) option.makeOptionMandatory()
  if (flag.isRepeatable) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
  return option
}

function helpAfter({ notes, examples }: Pick<Command, 'notes' | 'examples'>): string {
  const lines = examples.map(([line, meaning]) => `  ${line}\n      ${meaning}`)
  return `${notes === undefined ? '' : `\n${notes}\n`}\nExamples:\n${lines.join('\n')}`
}

const PROGRAM_NOTES = `
Examples:
  shipway login https://ship.example.com
      Sign in
  shipway deploy -p bookshop -e staging --wait
      Deploy, watch, and print the address
  shipway diagnose -p bookshop -e staging
      See why the last deployment failed

Each command has its own help: shipway deploy --help

In CI, set SHIPWAY_URL and SHIPWAY_TOKEN (a personal token), and SHIPWAY_ORG to stay within one organization.

Exit codes: 0 done, 1 error, 2 usage, 3 the deployment failed, 4 sign-in, 5 not found, 6 conflict, 7 the wait timed out,
130 interrupted.`

/** What commander ends with where it has printed something itself. */
export const exitCodeOfHelp = (code: string): ExitCode =>
  code === 'commander.helpDisplayed' || code === 'commander.version' ? EXIT.done : EXIT.usage
