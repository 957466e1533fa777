// Audit log, page by page, newest first.
import { type AuditEvent, type AuditFilter, nextCursor } from '@shipway/api'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

type Cursor = string | undefined
type AuditPart = { readonly events: readonly AuditEvent[]; readonly next: Cursor }

export const auditQuery = (organizationId: number, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.audit(organizationId), filter],
    queryFn: async ({ pageParam, signal }): Promise<AuditPart> => {
      const request = { params: { id: organizationId }, query: { ...filter, limit: 100, cursor: pageParam }, signal }
      const { body, headers } = await client.raw.listAuditEvents(request)
      return { events: body, next: nextCursor(headers.get('link')) }
    },
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })

/** Download address of the filtered log. */
export function exportAddress(organizationId: number, filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const chosen = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return `/api/organizations/${organizationId}/audit/export?${new URLSearchParams([...chosen, ['format', format]])}`
}
