// `shipway logs`: reads and follows service logs, from the environment's server or over the platform.
import type { Environment } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import type { LogLine } from '../logs/log-line.ts'
import { readLogRequest } from '../logs/log-request.ts'
import { linePrinter } from '../logs/print-line.ts'
import { LOG_TRANSPORTS, type LogReading, type LogTransport, readLogs } from '../logs/read-logs.ts'
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
    via: {
      value: 'way',
      choices: LOG_TRANSPORTS,
      description: 'read this way only; default: ssh if it reaches the server',
    },
  },
  notes:
    "Reads the logs from the environment's server over ssh, or over the platform where ssh does not lead there. Includes logs kept\n" +
    'from earlier deployments. Control sequences are removed, except colors on a terminal. With -f, --tail counts before --grep. With --json, each line is an object.',
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
    const ending: LogLine[] = []
    const keep = (line: LogLine): void => {
      if (matches(line) && ending.push(line) > (last ?? 0)) ending.shift()
    }
    const reading: LogReading = {
      environment,
      isEarlier: flags.server !== undefined,
      request,
      grep,
      signal: ctx.signal,
      retry: DEFAULT_POLLING,
      onLine: last === undefined ? (line) => void (matches(line) && show(line)) : keep,
      isTaken: () => ctx.out.drained(ctx.signal),
      ...notesFor(ctx, environment.server.name),
    }
    const end = await readLogs(await ctx.client(), reading, transportOf(flags.via))
    // Ctrl-C is the normal end of following, and prints nothing.
    if (!end) return EXIT.interrupted
    for (const line of ending) show(line)
    // Warnings, for example that the output of one container cannot be read.
    for (const line of end.stderr.split('\n').filter(Boolean)) say(ctx, plainText(line))
    return EXIT.done
  },
})

function notesFor(ctx: Context, serverName: string): Pick<LogReading, 'onLost' | 'onSkipped' | 'onDetour'> {
  const note = (text: string): void => say(ctx, ctx.err.paint.faint(text))
  return {
    onLost: () => note(`The connection to ${plainText(serverName)} was lost. Reconnecting`),
    onSkipped: () => note('Lines were left out: the services print faster than they are read'),
    onDetour: (reason) => {
      if (ctx.flags.debug) note(`Reading over the platform: ${plainText(reason)}`)
    },
  }
}

const transportOf = (text: string | undefined): LogTransport | undefined => LOG_TRANSPORTS.find((way) => way === text)

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
