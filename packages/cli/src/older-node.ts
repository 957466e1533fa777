// Node 20 has WebSocket only behind a flag, which must be given when a process starts. So the client runs once more, with the flag.
import { runInPlace } from './process.ts'

const FLAG = '--experimental-websocket'

export const needsFlag = (): boolean => typeof WebSocket === 'undefined' && !process.execArgv.includes(FLAG)

/** Returns the exit code of the second run. */
export function runWithFlag(argv: readonly string[]): Promise<number> {
  const [, program = ''] = process.argv
  // A terminal sends Ctrl-C to both processes: passed on, it would count twice.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  if (hasTerminal) process.on('SIGINT', () => undefined)
  const words = [process.execPath, ...process.execArgv, FLAG, program, ...argv] as const
  return runInPlace(words, hasTerminal ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'])
}
