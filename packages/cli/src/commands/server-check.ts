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
    report(ctx, { server_id: id, checks }, () => linesOf(checks, ctx.out.paint))
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

function linesOf(checks: readonly Check[], paint: Paint): string[] {
  const width = Math.max(...checks.map(({ name }) => widthOf(plainText(name))))
  return checks.flatMap(({ name, status, message, fix }) => {
    const line = `  ${SIGNS[status] ?? '·'} ${pad(plainText(name), width)}  ${plainText(message)}`
    const color = status === 'failed' ? paint.failed : status === 'warning' ? paint.amber : (text: string) => text
    return [color(line), ...(fix === null ? [] : [`    ${pad('', width)}  ${plainText(fix)}`])]
  })
}

const SIGNS: Readonly<Record<Check['status'], string>> = { ok: '✓', warning: '·', failed: '✗' }
