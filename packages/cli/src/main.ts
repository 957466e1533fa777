#!/usr/bin/env node
// The program `shipway`. It is thin: what `--help` does not need is loaded later.
import { readConfig } from './config.ts'
import { EXIT } from './exit-code.ts'
import { runCommandLine } from './run-command-line.ts'

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`shipway needs Node 24 or newer, and this is ${process.versions.node}\n`)
  process.exit(EXIT.error)
}

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.error),
)

process.exitCode = await runCommandLine(process.argv.slice(2), {
  config: readConfig(),
  stdout: process.stdout,
  // These take time that help does not need.
  stdin: () => process.stdin,
  stderr: () => process.stderr,
  listenForInterrupt,
  folder: process.cwd(),
})

function listenForInterrupt(): AbortSignal {
  const interrupt = new AbortController()
  process.on('SIGINT', () => {
    // Whoever presses Ctrl-C twice means it.
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted)
    interrupt.abort()
  })
  return interrupt.signal
}
