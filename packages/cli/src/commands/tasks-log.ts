// `shipway tasks log`: prints or follows the output of a task.
import { command, TARGET_FLAGS } from '../command.ts'
import { Interrupted, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { report, safeJson, say } from '../report.ts'
import { findTask } from '../tasks/find-task.ts'
import { LineSplitter } from '../tasks/line-splitter.ts'
import { DEFAULT_POLLING } from '../tasks/watch-task.ts'

export const tasksLog = command({
  words: [{ name: '[task]', description: 'its number (default: the newest task of the environment)' }],
  flags: {
    ...TARGET_FLAGS,
    follow: { short: 'f', description: 'follow the log until the task ends; exit code 3 unless it succeeds' },
    raw: { description: 'print the raw bytes, to a file or a pipe' },
  },
  notes:
    'Control sequences are removed, except colors on a terminal.\n' +
    'With --json, one object; with --json -f, one object per line.',
  examples: [
    ['shipway tasks log 1487', 'Print the whole log'],
    ['shipway tasks log -e staging -f', 'Follow the log of the newest task of staging'],
    ['shipway tasks log 1487 --raw > deploy.log', 'The raw log'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    if (flags.raw && (ctx.out.isTerminal || flags.follow)) {
      throw UsageError(
        '--raw needs a file or a pipe, and cannot be used with -f',
        'Without --raw, the log is safe to print',
      )
    }
    const { id } = await findTask(ctx, text, flags)
    if (flags.follow) return follow(ctx, id)
    const log = await (await ctx.client()).readTaskLog({ params: { id } })
    if (flags.raw && !ctx.flags.json) ctx.out.writeRaw(log)
    else report(ctx, { task_id: id, text: log }, () => (log === '' ? [] : [log.replace(/\r?\n$/, '')]))
    return EXIT.done
  },
})

async function follow(ctx: Context, id: number): Promise<ExitCode> {
  const lines = new LineSplitter((line) => ctx.out.print(line))
  try {
    const client = await ctx.client()
    const { giveUpAfterMs } = DEFAULT_POLLING
    for await (const event of client.followTaskLog({ params: { id }, signal: ctx.signal, giveUpAfterMs })) {
      if (ctx.flags.json) ctx.out.writeRaw(`${safeJson(event)}\n`)
      else if (event.type === 'output') lines.add(event.text)
      if (event.type !== 'end') continue
      lines.end()
      return reportEnd(ctx, id, event.status)
    }
  } catch (error) {
    if (ctx.signal.aborted) throw Interrupted(`Detached. Task ${id} goes on.`, `Watch it: shipway tasks log ${id} -f`)
    throw error
  } finally {
    lines.end()
  }
  return EXIT.error
}

function reportEnd(ctx: Context, id: number, status: string): ExitCode {
  if (status === 'succeeded') return EXIT.done
  say(ctx, `Task ${id} ${status === 'canceled' ? 'was canceled' : status}.`)
  return EXIT.deploymentFailed
}
