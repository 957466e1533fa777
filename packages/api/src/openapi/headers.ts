// Headers of answers, each described once.
import type { Header, Reference } from './document.ts'

const text = (description: string): Header => ({ description, schema: { type: 'string' } })

export const HEADERS: Readonly<Record<string, Header>> = {
  ETag: text('The version of the record, for If-Match'),
  'Idempotent-Replayed': text('`true` when this is the answer of an earlier request with the same key'),
  'WWW-Authenticate': text('With 401: how to sign in, and where the metadata are'),
  'Retry-After': text('With 429 and 503: seconds to wait'),
}

export const headerReferences = (names: readonly (keyof typeof HEADERS)[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
