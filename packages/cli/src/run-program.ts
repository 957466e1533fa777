// Connects a run to the process: its streams, its environment, and Ctrl-C.
import { readConfig } from './config.ts'
import { EXIT } from './exit-code.ts'
import { runInPlace } from './process.ts'
import { runCommandLine } from './run-command-line.ts'

export function runProgram(argv: readonly string[]): Promise<number> {
  if (needsFlag()) return runWithFlag(argv)
  // A reader that has seen enough, such as `head`, closes the pipe.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.error),
  )
  return runCommandLine(argv, {
    config: readConfig(),
    stdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    listenForInterrupt,
    folder: process.cwd(),
  })
}

function listenForInterrupt(): AbortSignal {
  const interrupt = new AbortController()
  process.on('SIGINT', () => {
    // The second Ctrl-C exits at once.
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted)
    interrupt.abort()
  })
  return interrupt.signal
}

/** Node 20 has WebSocket only behind this flag, which must be given when a process starts. So the client runs once more, with it. */
const FLAG = '--experimental-websocket'

const needsFlag = (): boolean => typeof WebSocket === 'undefined' && !process.execArgv.includes(FLAG)

/** Returns the exit code of the second run. */
function runWithFlag(argv: readonly string[]): Promise<number> {
  const [, program = ''] = process.argv
  // A terminal sends Ctrl-C to both processes: passed on, it would count twice.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  if (hasTerminal) process.on('SIGINT', () => undefined)
  const words = [process.execPath, ...process.execArgv, FLAG, program, ...argv] as const
  return runInPlace(words, hasTerminal ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'])
}
