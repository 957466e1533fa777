// Node 20 has WebSocket only behind a flag, which must be given when a process starts. So the client runs once more, with the flag.
import { EXIT } from './exit-code.ts'
import { runProcess } from './process.ts'

const FLAG = '--experimental-websocket'

export const needsFlag = (): boolean => typeof WebSocket === 'undefined' && !process.execArgv.includes(FLAG)

/** Returns the exit code of the second run, which has this terminal. */
export async function runWithFlag(argv: readonly string[]): Promise<number> {
  const [, program = ''] = process.argv
  const stop = new AbortController()
  // The terminal sends Ctrl-C to both processes: the second one decides what it means.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  const words = [process.execPath, ...process.execArgv, FLAG, program, ...argv] as const
  const code = await runProcess(words, { folder: process.cwd(), signal: stop.signal })
  return stop.signal.aborted ? EXIT.interrupted : code
}
