// One run of the program: parses the arguments, runs the command, reports a failure, and returns the exit code.
import { UnknownArgument } from './argument-error.ts'
import { catalogue } from './catalogue.ts'
import { flagName, GLOBAL_FLAGS } from './command.ts'
import { isGroup } from './command-entry.ts'
import type { Context, GlobalFlags } from './context.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { failureOf, printFailure } from './failure.ts'
import { type FoundCommand, findCommand } from './find-command.ts'
import { helpOfCommand, helpOfGroup, helpOfProgram } from './help.ts'
import { parseArguments } from './parse-arguments.ts'
import type { ProcessContext } from './process-context.ts'
import { openSink } from './terminal/sink.ts'
import { VERSION } from './version.ts'

export async function runCommandLine(argv: readonly string[], process: ProcessContext): Promise<number> {
  let signal: AbortSignal | undefined
  // Read before the arguments are parsed, so that an error in them is printed as JSON too.
  let globals: GlobalFlags = { json: argv.includes('--json'), debug: argv.includes('--debug') }
  try {
    const found = findCommand(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv)
    const { entry, path, rest } = found
    if (!entry || isGroup(entry) || wantsHelp(rest)) return await printHelp(found, process)
    const command = await entry.load()
    const parsed = parseArguments(command, rest, path)
    globals = parsed.globals
    signal = process.listenForInterrupt()
    const ending = (await command.run(openContext(process, { globals, signal }), parsed)) ?? EXIT.done
    return typeof ending === 'number' ? ending : ending.passedOn
  } catch (error) {
    return reportFailure(error, { globals, process, isInterrupted: signal?.aborted ?? false })
  }
}

const flagsIn = (rest: readonly string[]): readonly string[] =>
  rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest

const wantsHelp = (rest: readonly string[]): boolean => flagsIn(rest).some((word) => word === '--help' || word === '-h')

/** Help that was not requested is a usage error: a command is missing. */
async function printHelp(found: FoundCommand, { stdout, stderr }: ProcessContext): Promise<ExitCode> {
  const { entry, rest } = found
  if (!entry && flagsIn(rest).some((word) => word === '--version' || word === '-V')) {
    stdout.write(`shipway ${VERSION}\n`)
    return EXIT.done
  }
  refuseUnknownFlags(found)
  const text = await helpText(found, Math.min(100, stdout.columns || 80))
  if (!wantsHelp(rest)) {
    stderr.write(text)
    return EXIT.usage
  }
  stdout.write(text)
  return EXIT.done
}

/** Without a command, only the flags of every command have a meaning. */
function refuseUnknownFlags({ path, entry, rest }: FoundCommand): void {
  if (entry && !isGroup(entry)) return
  const known = [...Object.keys(GLOBAL_FLAGS).map(flagName), '--help', ...(entry ? [] : ['--version'])]
  const given = flagsIn(rest).filter((word) => word.startsWith('-') && !SHORT_FLAGS.includes(word))
  const unknown = given.find((word) => !known.includes(word.split('=', 1)[0] ?? ''))
  if (unknown !== undefined) throw UnknownArgument({ kind: 'flag', given: unknown, known }, path)
}

const SHORT_FLAGS = ['-h', '-V']

async function helpText({ entry, path }: FoundCommand, columns: number): Promise<string> {
  if (!entry) return helpOfProgram(catalogue, columns)
  if (isGroup(entry)) return helpOfGroup(entry, columns)
  return helpOfCommand(path.join(' '), { summary: entry.summary, command: await entry.load() }, columns)
}

type Invocation = { readonly globals: GlobalFlags; readonly signal: AbortSignal }

/** Expensive parts are opened on first use. */
function openContext(process: ProcessContext, { globals, signal }: Invocation): Context {
  const { config, folder } = process
  const ctx: Context = {
    config,
    flags: globals,
    out: openSink(process.stdout, config),
    err: openSink(process.stderr, config),
    get stdin() {
      return process.stdin()
    },
    folder,
    signal,
    client: () => {
      client ??= import('./http/open-client.ts').then(({ openClient }) => openClient(ctx))
      return client
    },
    completions: async () => (await import('./list-completions.ts')).listCompletions(),
    skill: async () => (await import('./skill-text.ts')).skillText(),
  }
  let client: ReturnType<Context['client']> | undefined
  return ctx
}

function reportFailure(
  error: unknown,
  { globals, process, isInterrupted }: { globals: GlobalFlags; process: ProcessContext; isInterrupted: boolean },
): ExitCode {
  const err = openSink(process.stderr, process.config)
  const failure = failureOf(error, isInterrupted)
  printFailure(failure, { globals, err })
  if (globals.debug && error instanceof Error) err.print(String(error.stack))
  return failure.exitCode
}
