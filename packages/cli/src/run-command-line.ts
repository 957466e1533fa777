// One run of the program: parses the words, runs the command, tells what went wrong, and says how it ended.
import { CommanderError } from 'commander'
import type { Config } from './config.ts'
import type { Context, GlobalFlags } from './context.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { exitCodeOfHelp, parseCommandLine } from './program.ts'
import { openSink, type Sink } from './terminal/sink.ts'

export type World = {
  readonly config: Config
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly folder: string
  readonly signal: AbortSignal
}

export async function runCommandLine(argv: readonly string[], world: World): Promise<ExitCode> {
  const out = openSink(world.stdout, world.config)
  const err = openSink(world.stderr, world.config)
  // Known before the words are parsed, so that a fault in them is told as they ask.
  let globals: GlobalFlags = argv.includes('--json') ? { json: true } : {}
  try {
    const call = await parseCommandLine(argv, { out: (text) => out.pass(text), err: (text) => err.pass(text) })
    if (!call) return EXIT.done
    globals = call.globals
    const ctx = openContext(world, { globals, out, err })
    return (await call.command.run(ctx, call)) ?? EXIT.done
  } catch (error) {
    if (error instanceof CommanderError && isPrinted(error)) return exitCodeOfHelp(error.code)
    return tellFailure(error, { globals, err, isInterrupted: world.signal.aborted })
  }
}

/** Help and the version are printed when they are thrown. */
const isPrinted = ({ code }: CommanderError): boolean => /^commander\.(help|version)/.test(code)

type Opened = { readonly globals: GlobalFlags; readonly out: Sink; readonly err: Sink }

function openContext(world: World, { globals, out, err }: Opened): Context {
  const { config, stdin, folder, signal } = world
  const ctx: Context = {
    config,
    flags: globals,
    out,
    err,
    stdin,
    folder,
    signal,
    client: () => {
      client ??= import('./http/open-client.ts').then(({ openClient }) => openClient(ctx))
      return client
    },
    completions: async () => (await import('./completion-spots.ts')).completionSpots(),
  }
  let client: ReturnType<Context['client']> | undefined
  return ctx
}

async function tellFailure(
  error: unknown,
  { isInterrupted, ...told }: { globals: GlobalFlags; err: Sink; isInterrupted: boolean },
): Promise<ExitCode> {
  const { failureOf, printFailure } = await import('./failure.ts')
  const failure = failureOf(error, isInterrupted)
  printFailure(failure, told)
  if (told.globals.debug && error instanceof Error) told.err.print(String(error.stack))
  return failure.exitCode
}
