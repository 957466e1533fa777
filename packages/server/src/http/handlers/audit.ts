// Requests about the audit log of an organization.
import type { AuditFilter } from '@shipway/api/oversight/audit'
import { exportAuditEvents } from '../../operations/installation/export-audit-events.ts'
import { listAuditEvents } from '../../operations/installation/list-audit-events.ts'
import type { AuditEvent } from '../../store/audit-events.ts'
import { attachment } from '../artifacts/content-disposition.ts'
import type { Handlers } from '../handler.ts'
import { streamPieces } from '../logs/piece-stream.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentAuditEvent } from '../present/audit-event.ts'
import { auditCsv, auditLines, CSV_HEAD } from '../present/audit-file.ts'

export const auditHandlers = {
  listAuditEvents: async ({ ctx, actor, params, query, request }) => {
    const wanted = { organizationId: params.id, filter: filterOf(query), page: pageRequest(query) }
    const { items, next } = await listAuditEvents(ctx, actor, wanted)
    return { body: items.map(presentAuditEvent), headers: linkNext(request, next) }
  },
  exportAuditEvents: async ({ ctx, actor, params, query, request }) => {
    const batches = await exportAuditEvents(ctx, actor, { organizationId: params.id, filter: filterOf(query) })
    const isCsv = query.format === 'csv'
    const open = () => streamPieces(() => piecesOf(batches, { isCsv }))
    return {
      headers: { 'content-disposition': attachment(`audit-${params.id}.${query.format}`) },
      stream: {
        status: 200,
        type: 'application/octet-stream',
        bytes: request.server.downloads.add(actor.userId, open),
      },
    }
  },
} satisfies Handlers

async function* piecesOf(
  batches: AsyncIterable<readonly AuditEvent[]>,
  { isCsv }: { readonly isCsv: boolean },
): AsyncGenerator<string, void> {
  if (isCsv) yield CSV_HEAD
  for await (const events of batches) {
    if (events.length > 0) yield isCsv ? auditCsv(events) : auditLines(events)
  }
}

const filterOf = ({ user_id, action, target_kind, target_id, since, until }: AuditFilter) => ({
  userId: user_id,
  action,
  targetKind: target_kind,
  targetId: target_id,
  since: since === undefined ? undefined : Date.parse(since),
  until: until === undefined ? undefined : Date.parse(until),
})
