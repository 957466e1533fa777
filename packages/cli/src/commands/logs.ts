// `shipway logs`: reads and follows service logs, directly from the environment's server.
import type { Environment } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { followSessions } from '../logs/follow-sessions.ts'
import type { LogLine } from '../logs/log-line.ts'
import { type LogRequest, readLogRequest } from '../logs/log-request.ts'
import { linePrinter } from '../logs/print-line.ts'
import { readSession, type SessionEnd } from '../logs/read-session.ts'
import { sessionFailure } from '../logs/session-failure.ts'
import { say } from '../report.ts'
import { findTarget, type TargetFlags } from '../target/find-environment.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { DEFAULT_POLLING } from '../tasks/watch-task.ts'
import { plainText } from '../terminal/sanitize.ts'

export const logs = command({
  flags: {
    ...TARGET_FLAGS,
    follow: { short: 'f', description: 'follow new lines, across redeployments and lost connections' },
    service: { value: 'name', description: 'only this service (default: all)' },
    server: { value: 'server', description: 'read from an earlier server of the environment' },
    since: { value: 'time', description: 'start: 72h, 90m or 3d ago, or a time such as 2026-11-14T09:00Z' },
    until: { value: 'time', description: 'end, in the same form' },
    tail: { value: 'lines', description: 'number of last lines, at most 10000 (default: 200 unless a time is given)' },
    grep: { value: 'text', description: 'only lines that contain this text' },
  },
  notes:
    "Reads the logs from the environment's server over ssh, including those kept from earlier deployments. Control sequences are\n" +
    'removed, except colors on a terminal. With -f, --tail counts before --grep. With --json, each line is an object.',
  examples: [
    ['shipway logs -e staging', 'The last lines of all services'],
    ['shipway logs -e staging -f --service api', 'Follow the logs of api'],
    ['shipway logs -e staging --since 72h --grep timeout', 'Search the last three days'],
  ],
  run: async (ctx, { flags }) => {
    const { request, last } = readLogRequest(flags, Date.now())
    const environment = await findLogSource(ctx, flags)
    const show = linePrinter(ctx.out, { isJson: ctx.flags.json ?? false })
    const { grep } = flags
    const matches = ({ text }: LogLine): boolean => grep === undefined || text.includes(grep)
    const onLine = (line: LogLine): void => void (matches(line) && show(line))
    if (request.isFollowing) return follow(ctx, { environment, request, onLine })

    const ending: LogLine[] = []
    const keep = (line: LogLine): void => {
      if (matches(line) && ending.push(line) > (last ?? 0)) ending.shift()
    }
    const end = await readOnce(ctx, { environment, request, onLine: last === undefined ? onLine : keep })
    if (ctx.signal.aborted) return EXIT.interrupted
    for (const line of ending) show(line)
    return reportEnd(ctx, end, { environment, request })
  },
})

type LogSource = Pick<Environment, 'id' | 'server'>

/** The environment's server, or an earlier one, which still has the logs from that time. */
async function findLogSource(
  ctx: Context,
  flags: TargetFlags & { readonly server: string | undefined },
): Promise<LogSource> {
  const { environment } = await findTarget(ctx, flags)
  if (flags.server === undefined) return environment
  return { id: environment.id, server: chooseServer(flags.server, await listServers(await ctx.client())) }
}

type Reading = {
  readonly environment: LogSource
  readonly request: LogRequest
  readonly onLine: (line: LogLine) => void
}

async function readOnce(ctx: Context, reading: Reading): Promise<SessionEnd> {
  const isTaken = (): Promise<void> => ctx.out.drained(ctx.signal)
  return readSession(await ctx.client(), { ...reading, signal: ctx.signal, isTaken })
}

/** Ctrl-C is the normal end, and prints nothing. */
async function follow(ctx: Context, { environment, request, onLine }: Reading): Promise<ExitCode> {
  const end = await followSessions({
    request,
    onLine,
    signal: ctx.signal,
    retry: DEFAULT_POLLING,
    session: (now, take) => readOnce(ctx, { environment, request: now, onLine: take }),
    onLost: () =>
      say(ctx, ctx.err.paint.faint(`The connection to ${plainText(environment.server.name)} was lost. Reconnecting`)),
  })
  return end ? reportEnd(ctx, end, { environment, request }) : EXIT.interrupted
}

function reportEnd(ctx: Context, end: SessionEnd, { environment, request }: Omit<Reading, 'onLine'>): ExitCode {
  if (end.code !== 0) throw sessionFailure(end, { server: environment.server, service: request.service })
  // Warnings, for example that the output of one container cannot be read.
  for (const line of end.stderr.split('\n').filter(Boolean)) say(ctx, plainText(line))
  return EXIT.done
}
