// `shipway server check`: checks each part of a server, and says how to fix what is wrong.
import type { Check, Server } from '@shipway/api'
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { listNames } from '../target/find-by-name.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { Paint } from '../terminal/sink.ts'
import { pad, widthOf } from '../terminal/width.ts'
import { wrap } from '../terminal/wrap.ts'

export const serverCheck = command({
  words: [{ name: '[server]', description: 'name or id; optional if there is only one' }],
  flags: {},
  notes: 'Exit code 1 if a check fails.',
  examples: [
    ['shipway server check harbor', 'Check each part'],
    ['shipway server check harbor --json', 'The same for a script'],
  ],
  run: async (ctx, { words: [wanted] }) => {
    const client = await ctx.client()
    const { id } = choose(wanted, await listServers(client))
    const { checks } = await client.checkServer({ params: { id } })
    report(ctx, { server_id: id, checks }, () => linesOf(checks, ctx.out.paint, ctx.out.size()?.columns))
    return checks.some(({ status }) => status === 'failed') ? EXIT.error : EXIT.done
  },
})

function choose(wanted: string | undefined, servers: readonly Server[]): Server {
  if (wanted !== undefined) return chooseServer(wanted, servers)
  const [only, ...others] = servers
  if (only && others.length === 0) return only
  throw UsageError(
    'Which server?',
    ...listNames(
      'server',
      servers.map(({ name }) => plainText(name)),
    ),
  )
}

/** `columns`: the width of the window. Sentences are wrapped beside their names. */
function linesOf(checks: readonly Check[], paint: Paint, columns = Number.POSITIVE_INFINITY): string[] {
  const width = Math.max(...checks.map(({ name }) => widthOf(plainText(name))))
  const lines = (text: string): string[] => wrap(plainText(text), columns - width - MARGIN)
  return checks.flatMap(({ name, status, message, fix }) => {
    const color = status === 'failed' ? paint.failed : status === 'warning' ? paint.amber : (text: string) => text
    const [first, ...more] = lines(message)
    const rest = [...more.map(color), ...(fix === null ? [] : lines(fix))]
    return [
      color(`  ${SIGNS[status] ?? '·'} ${pad(plainText(name), width)}  ${first}`),
      ...rest.map((line) => `    ${pad('', width)}  ${line}`),
    ]
  })
}

/** Around the name. */
const MARGIN = 6

const SIGNS: Readonly<Record<Check['status'], string>> = { ok: '✓', warning: '·', failed: '✗' }
