// `shipway certificates list`: certificates of a project, what each is for, and until when.
import type { DomainCertificate } from '@shipway/api'
import { command, PROJECT_FLAGS } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findProject } from '../../target/find-project.ts'
import { PAGE_SIZE, readAllPages } from '../../target/read-all-pages.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { fromNow } from '../../terminal/times.ts'

export const certificatesList = command({
  flags: PROJECT_FLAGS,
  examples: [['shipway certificates list -p bookshop', 'Supplied and ordered ones']],
  run: async (ctx, { flags }) => {
    const { id } = await findProject(ctx, flags)
    const client = await ctx.client()
    const certificates = await readAllPages((cursor) =>
      client.raw.listCertificates({ params: { id }, query: { limit: PAGE_SIZE, cursor } }),
    )
    report(ctx, certificates, () => {
      if (certificates.length === 0) return ['No certificates yet']
      const head = ['NAMES', 'FROM', 'EXPIRES', 'SERVERS', 'STATE']
      return tableLines({ head, rows: certificates.map(rowOf) }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

const rowOf = (each: DomainCertificate): string[] => [
  plainText(each.names.length === 0 ? (each.domain ?? '') : each.names.join(', ')),
  each.source === 'supplied' ? 'supplied' : plainText(each.issuer ?? 'being ordered'),
  each.not_after === null ? '' : fromNow(each.not_after),
  each.servers.map(({ name }) => plainText(name)).join(', '),
  each.problems.length === 0 ? 'ok' : plainText(each.problems.join('; ')),
]
