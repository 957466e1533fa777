// Connects a run to the process: its streams, its environment, and Ctrl-C.
import { readConfig } from './config.ts'
import { EXIT } from './exit-code.ts'
import { needsFlag, runWithFlag } from './older-node.ts'
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
