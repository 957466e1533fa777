// One run of the program: reads the words, runs the command, tells what went wrong, and says how it ended.
import { catalogue } from './catalogue.ts'
import type { GlobalFlags } from './context.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { failureOf, printFailure } from './failure.ts'
import { type FoundCommand, findCommand } from './find-command.ts'
import { helpOfCommand, helpOfGroup, helpOfProgram } from './help.ts'
import { loadCommand } from './load-command.ts'
import { openContext } from './open-context.ts'
import { parseArguments } from './parse-arguments.ts'
import type { ProcessContext } from './process-context.ts'
import { openSink } from './terminal/sink.ts'
import { VERSION } from './version.ts'

export async function runCommandLine(argv: readonly string[], world: ProcessContext): Promise<number> {
  // Known before the words are read, so that a fault in them is told as they ask.
  let signal: AbortSignal | undefined
  let globals: GlobalFlags = { json: argv.includes('--json'), debug: argv.includes('--debug') }
  try {
    const place = findCommand(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv)
    const shown = await findHelpText(place, world)
    if (shown) return printHelp(shown, world)
    const command = await loadCommand(place.path)
    const call = parseArguments(command, place.rest, place.path)
    globals = call.globals
    signal = world.listenForInterrupt()
    const ending = (await command.run(openContext(world, { globals, signal }), call)) ?? EXIT.done
    return typeof ending === 'number' ? ending : ending.passedOn
  } catch (error) {
    return reportFailure(error, { globals, world, isInterrupted: signal?.aborted ?? false })
  }
}

type HelpText = { readonly text: string; readonly isAskedFor: boolean }

/** Help and the version, where they are asked for, and help where a command is missing. */
async function findHelpText({ entry, path, rest }: FoundCommand, world: ProcessContext): Promise<HelpText | undefined> {
  const columns = Math.min(100, world.stdout.columns || 80)
  const words = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  const isAskedFor = words.includes('--help') || words.includes('-h')
  if (!entry && (words.includes('--version') || words.includes('-V')))
    return { text: `shipway ${VERSION}\n`, isAskedFor: true }
  if (!entry) return { text: helpOfProgram(catalogue, columns), isAskedFor }
  const { group, summary } = entry
  if (group) return { text: helpOfGroup({ ...entry, group }, columns), isAskedFor }
  if (!isAskedFor) return undefined
  return { text: helpOfCommand(path.join(' '), { summary, command: await loadCommand(path) }, columns), isAskedFor }
}

function printHelp({ text, isAskedFor }: HelpText, world: ProcessContext): ExitCode {
  const stream = isAskedFor ? world.stdout : world.stderr
  stream.write(text)
  return isAskedFor ? EXIT.done : EXIT.usage
}

function reportFailure(
  error: unknown,
  { globals, world, isInterrupted }: { globals: GlobalFlags; world: ProcessContext; isInterrupted: boolean },
): ExitCode {
  const err = openSink(world.stderr, world.config)
  const failure = failureOf(error, isInterrupted)
  printFailure(failure, { globals, err })
  if (globals.debug && error instanceof Error) err.print(String(error.stack))
  return failure.exitCode
}
