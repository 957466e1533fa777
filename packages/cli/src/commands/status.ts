// `shipway status`: the services of an environment, their states and what they use.
import { setTimeout as pause } from 'node:timers/promises'
import { command, TARGET_FLAGS } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { isTransient } from '../http/api-failure.ts'
import { report, say } from '../report.ts'
import { type EnvironmentReading, readStatus } from '../services/read-status.ts'
import { headOf, statusLines } from '../services/status-lines.ts'
import { targetWords } from '../target/command-words.ts'
import { findTarget, type Target } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { Redraw } from '../terminal/redraw.ts'
import { cutTo } from '../terminal/width.ts'

/** States change within seconds; CPU and memory are measured every 30. */
const EVERY_MS = 5_000

export const status = command({
  flags: { ...TARGET_FLAGS, watch: { short: 'w', description: 'go on, and show changes until Ctrl-C' } },
  notes:
    'CPU is in cores, memory without page cache. Both are measured every 30 seconds; - means not measured lately.\n' +
    'With --json, one object; with --json --watch, one object per line.',
  examples: [
    ['shipway status -p bookshop -e staging', 'Services with state, CPU, memory and restarts'],
    ['shipway status --watch', 'Drawn in place, in a repository with a file .shipway'],
  ],
  run: async (ctx, { flags }) => {
    const target = await findTarget(ctx, flags)
    const client = await ctx.client()
    const read = () => readStatus(client, { id: target.environment.id, signal: ctx.signal })
    const first = await read()
    if (flags.watch) return watch(ctx, { target, read, first })
    print(ctx, target, first)
    return EXIT.done
  },
})

function print(ctx: Context, target: Target, reading: EnvironmentReading): void {
  say(ctx, headOf(targetTitle(target), reading))
  const { environment, services } = reading
  report(ctx, { environment_id: environment.id, status: environment.status, services }, () =>
    services.length === 0
      ? [`Nothing runs yet. Deploy it: shipway deploy ${targetWords(target)}`]
      : statusLines(reading, { columns: ctx.out.size()?.columns, paint: ctx.out.paint }),
  )
}

type Watched = {
  readonly target: Target
  readonly read: () => Promise<EnvironmentReading>
  readonly first: EnvironmentReading
}

const SILENT = 'The platform does not answer; trying again.'

/** In place on a terminal, else one table or object after the other. */
async function watch(ctx: Context, { target, read, first }: Watched): Promise<ExitCode> {
  const isInPlace = ctx.out.isTerminal && !ctx.flags.json && !ctx.config.isDumbTerminal
  const screen = new Redraw(ctx.out)
  let reading = first
  let isSilent = false
  const draw = (): void => {
    const { columns = 80, rows = 24 } = ctx.out.size() ?? {}
    const lines = statusLines(reading, { columns: columns - 1, paint: ctx.out.paint })
    const last = isSilent ? ctx.out.paint.amber(cutTo(SILENT, columns - 1)) : ctx.out.paint.faint('Ctrl-C ends.')
    const head = cutTo(headOf(targetTitle(target), reading), columns - 1)
    screen.draw([head, '', ...lines, '', last].slice(0, Math.max(1, rows - 1)))
  }
  const show = (): void => (isInPlace ? draw() : print(ctx, target, reading))
  const stopListening = ctx.out.onResize(() => isInPlace && draw())
  try {
    for (;;) {
      show()
      await pause(EVERY_MS, undefined, { signal: ctx.signal })
      const next = await read().catch((error: unknown) => {
        if (ctx.signal.aborted || !isTransient(error)) throw error
        return undefined
      })
      if (next === undefined && !isSilent && !isInPlace) say(ctx, SILENT)
      isSilent = next === undefined
      reading = next ?? reading
    }
  } catch (error) {
    if (ctx.signal.aborted) return EXIT.interrupted
    throw error
  } finally {
    stopListening()
  }
}
