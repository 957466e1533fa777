// `shipway audit`: who changed what in an organization, newest first, or the whole log as a file.
import type { AuditEvent, AuditFilter, Client } from '@shipway/api'
import { writeExport } from '../audit/write-export.ts'
import { command, type Input } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { readTime } from '../logs/read-time.ts'
import { report } from '../report.ts'
import { given, readChoice } from '../settings.ts'
import { readId } from '../target/find-by-name.ts'
import { findMember } from '../target/find-member.ts'
import { findOwnOrganization } from '../target/find-own-organization.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'

const FORMATS = ['csv', 'jsonl'] as const

const FLAGS = {
  user: { value: 'member', description: 'only what this member did (name, e-mail address or id)' },
  action: { value: 'action', description: 'only this action, such as member.removed, or its first word' },
  target: { value: 'kind', description: 'only records of this kind, such as environment or environment:12' },
  since: { value: 'time', description: 'not before: how long ago, such as 72h or 3d, or a date' },
  until: { value: 'time', description: 'before: how long ago, or a date' },
  limit: { value: 'number', description: 'how many, at most 200 (default: 50)' },
  export: { value: 'format', choices: FORMATS, description: 'everything that matches, as a file' },
  output: { short: 'o', value: 'file', description: 'file for --export (default: standard output)' },
} as const

export const audit = command({
  flags: FLAGS,
  notes: 'Shows names of what was changed, never values. An export is itself recorded in the log.',
  examples: [
    ['shipway audit --since 3d', 'The last three days'],
    ['shipway audit --user ada@example.com --action variables', 'Which variables Ada changed'],
    ['shipway audit --export csv -o audit.csv', 'Everything, for a spreadsheet'],
  ],
  run: async (ctx, { flags }) => {
    const limit = readId(flags.limit ?? '50')
    if (limit === undefined || limit > 200) throw UsageError('--limit is a number from 1 to 200')
    if (flags.output !== undefined && flags.export === undefined) throw UsageError('-o needs --export csv or jsonl')
    const client = await ctx.client()
    const id = await findOwnOrganization(ctx, client)
    const filter = await readFilter(client, id, flags)
    const format = readChoice(FORMATS, flags.export)
    if (format) {
      const { body } = await client.raw.exportAuditEvents({ params: { id }, query: { ...filter, format } })
      await writeExport(ctx, body, flags.output)
      return EXIT.done
    }
    const events = await client.listAuditEvents({ params: { id }, query: { ...filter, limit } })
    report(ctx, events, () => {
      if (events.length === 0) return ['Nothing was recorded']
      const head = ['WHEN', 'WHO', 'WHAT', 'RECORD', 'CHANGED', 'FROM']
      return tableLines({ head, rows: events.map(rowOf) }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

async function readFilter(client: Client, id: number, flags: Input<typeof FLAGS>['flags']): Promise<AuditFilter> {
  const [kind, record] = flags.target?.split(':') ?? []
  const time = (flag: string, text: string | undefined) =>
    text === undefined ? undefined : new Date(readTime(flag, text, Date.now()) * 1000).toISOString()
  return given({
    user_id: flags.user === undefined ? undefined : (await findMember(client, id, flags.user)).user.id,
    action: flags.action,
    target_kind: kind,
    target_id: record === undefined ? undefined : readId(record),
    since: time('--since', flags.since),
    until: time('--until', flags.until),
  })
}

const rowOf = (event: AuditEvent): string[] => [
  ago(event.at),
  event.actor ? plainText(event.actor.name) : 'the platform',
  plainText(event.action),
  `${plainText(event.target.kind)} ${plainText(event.target.name)}`,
  event.fields.map(plainText).join(', '),
  plainText(event.address ?? ''),
]
