// The contract as an OpenAPI 3.1 document, made from the schemas that validate. The same routes give the same text.
import type { Header, OpenApiDocument, Operation } from './openapi/document.ts'
import { operationOf } from './openapi/operation.ts'
import { componentsFor } from './openapi/schema.ts'
import { type Route, SCOPES } from './route.ts'

type Platform = { readonly baseUrl: string; readonly version: string }

export function openApiOf(routes: Readonly<Record<string, Route>>, { baseUrl, version }: Platform): OpenApiDocument {
  const paths = pathsOf(routes)
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))].map((name) => ({ name }))
  return {
    openapi: '3.1.0',
    info: { title: 'Shipway', version: version.replace(/^v/, ''), description: INTRODUCTION },
    servers: [{ url: baseUrl }],
    tags,
    paths,
    components: { schemas: componentsFor(paths), headers: HEADERS, securitySchemes: securitySchemes(baseUrl) },
  }
}

function pathsOf(routes: Readonly<Record<string, Route>>): Record<string, Record<string, Operation>> {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, route] of Object.entries(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(name, route) }
  }
  return paths
}

const INTRODUCTION = [
  'JSON in and out, `snake_case`, integer ids, times in UTC such as `2026-01-31T12:00:00Z`.',
  'Lists are bare arrays; the `Link` header with `rel="next"` leads to the next page.',
  'Errors are problems (RFC 9457): `code` never changes, `detail` says what to do.',
  'Answers may gain fields; what is removed is announced six months before.',
].join(' ')

const text = (description: string): Header => ({ description, schema: { type: 'string' } })

const HEADERS: Record<string, Header> = {
  'X-Request-Id': text('Names this request in the log; send your own to follow it'),
  'X-Service-Version': text('The release that answers'),
  Location: text('Where the new record is, for a record that has an address'),
  Link: text('The next page, `rel="next"`; absent on the last one'),
  ETag: text('The version of the record, for If-Match'),
  'Idempotent-Replayed': text('`true` when this is the answer of an earlier request with the same key'),
  'WWW-Authenticate': text('How to sign in, and where the metadata are'),
  'Retry-After': text('Seconds to wait'),
}

/** OpenAPI 3.1 has no word for the device flow, so the scheme names its metadata and lists no flow. */
const securitySchemes = (baseUrl: string): OpenApiDocument['components']['securitySchemes'] => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: `A personal token (shw_pat_…) or an access token (shw_at_…). Scopes: ${SCOPES.join(', ')}`,
  },
  oauth: {
    type: 'oauth2',
    description: `The device flow (RFC 8628); the metadata at ${baseUrl}/.well-known/oauth-authorization-server name its endpoints`,
    flows: {},
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: baseUrl.startsWith('https:') ? '__Host-shipway_session' : 'shipway_session',
    description: 'The cookie that signing in sets; changes with it must come from the dashboard itself',
  },
})
