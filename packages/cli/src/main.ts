#!/usr/bin/env node
// The program `shipway`. It is thin: what `--help` does not need is loaded later.
import { readConfig } from './config.ts'
import { EXIT } from './exit-code.ts'
import { runCommandLine } from './run-command-line.ts'

const interrupt = new AbortController()
process.on('SIGINT', () => {
  // Whoever presses Ctrl-C twice means it.
  if (interrupt.signal.aborted) process.exit(EXIT.interrupted)
  interrupt.abort()
})
// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.error),
)

process.exitCode = await runCommandLine(process.argv.slice(2), {
  config: readConfig(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  folder: process.cwd(),
  signal: interrupt.signal,
})
