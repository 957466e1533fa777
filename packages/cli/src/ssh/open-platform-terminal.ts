// Runs a one-off command on the platform's own machine with this terminal, or with its pipes, over a connection to the platform.
import type { TerminalEnd, TerminalInput } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { type Ending, EXIT } from '../exit-code.ts'
import { say } from '../report.ts'
import { plainText } from '../terminal/sanitize.ts'
import { hasTerminal, type TerminalRun } from './terminal-run.ts'

export async function openPlatformTerminal(
  ctx: Context,
  { target: { environment }, words, service }: TerminalRun,
): Promise<Ending> {
  const client = await ctx.client()
  const isRaw = hasTerminal(ctx)
  const stopReading = new AbortController()
  const unreadable = new AbortController()
  const closings: (() => void)[] = []
  const setRaw = (): void => {
    ctx.stdin.setRawMode(true)
    closings.push(() => ctx.stdin.setRawMode(false))
  }
  try {
    const end = await client.openTerminal({
      environmentId: environment.id,
      command: words,
      service,
      size: isRaw ? ctx.out.size() : undefined,
      signal: AbortSignal.any([ctx.signal, unreadable.signal]),
      onOutput: (stream, bytes) => {
        const sink = stream === 'stderr' ? ctx.err : ctx.out
        sink.writeRaw(bytes)
        return sink.drained(ctx.signal)
      },
      onStart: (input) => {
        if (isRaw) {
          setRaw()
          closings.push(ctx.out.onResize(() => input.resize(ctx.out.size() ?? { columns: 80, rows: 24 })))
        }
        sendInput(ctx, input, stopReading.signal).catch((error: unknown) => unreadable.abort(InputUnreadable(error)))
      },
    })
    unreadable.signal.throwIfAborted()
    return endingOf(ctx, end)
  } finally {
    stopReading.abort()
    for (const close of closings) close()
    // It would keep this process alive.
    ctx.stdin.destroy()
  }
}

/** To its end. A file or a pipe is read as fast as the command takes it. */
async function sendInput({ stdin }: Context, input: TerminalInput, signal: AbortSignal): Promise<void> {
  try {
    for await (const bytes of stdin) await input.write(Buffer.from(bytes))
  } catch (error) {
    // The command has ended, and the input was closed.
    if (!signal.aborted) throw error
  }
  if (!signal.aborted) input.end()
}

const InputUnreadable = (error: unknown): CommandError =>
  new CommandError(`The input cannot be read: ${error instanceof Error ? plainText(error.message) : 'unknown'}`, {
    code: 'input_unreadable',
    advice: ['The command was ended with the connection.'],
  })

function endingOf(ctx: Context, end: TerminalEnd): Ending {
  if (end.kind === 'exited') return { passedOn: end.code }
  if (end.kind === 'left') return EXIT.interrupted
  const reason = end.kind === 'restart' ? 'The platform was stopped or restarted' : plainText(end.detail)
  say(ctx, '', `${reason}. The command was ended with the connection`)
  return { passedOn: CONNECTION_FAILED }
}

/** As ssh does. */
const CONNECTION_FAILED = 255
