// Cursors: what a caller sends to get the next page, and the Link header that tells it.
import { PAGE_LIMIT, type PageQuery } from '@shipway/api/page'
import type { FastifyRequest } from 'fastify'
import { InvalidField } from '../domain/errors.ts'

export function pageRequest({ limit, cursor }: PageQuery): { limit: number; before: number | undefined } {
  return { limit: limit ?? PAGE_LIMIT.normal, before: cursor === undefined ? undefined : readCursor(cursor) }
}

export function linkNext(request: FastifyRequest, next: number | undefined): Record<string, string> {
  if (next === undefined) return {}
  const [path, search] = request.url.split('?', 2)
  const query = new URLSearchParams(search)
  query.set('cursor', Buffer.from(`v1.${next}`).toString('base64url'))
  return { link: `<${path}?${query}>; rel="next"` }
}

function readCursor(cursor: string): number {
  const position = /^v1\.([0-9]{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (position === undefined) {
    throw InvalidField('/query/cursor', 'invalid_cursor', 'Take the cursor from the Link header of the page before')
  }
  return Number(position)
}
