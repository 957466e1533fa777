// The contract as an OpenAPI 3.1 document, made from the schemas that validate. The same routes give the same text.
import type { Method, OpenApiDocument } from './openapi/document.ts'
import { errorAnswer } from './openapi/error-answer.ts'
import { HEADERS } from './openapi/headers.ts'
import { operationOf } from './openapi/operation.ts'
import { pathsOf, sharedParameters } from './openapi/paths.ts'
import { componentsFor } from './openapi/schema.ts'
import { securitySchemes, USUAL_SECURITY } from './openapi/security.ts'
import { TAGS } from './openapi/tags.ts'
import type { Route } from './route.ts'

type Platform = { readonly baseUrl: string; readonly version: string }

export function openApiOf(routes: Readonly<Record<string, Route>>, { baseUrl, version }: Platform): OpenApiDocument {
  const endpoints = Object.entries(routes).map(([name, route]) => ({
    method: route.method.toLowerCase() as Method,
    path: route.path,
    operation: operationOf(name, route),
  }))
  const parameters = sharedParameters(endpoints)
  const paths = pathsOf(endpoints, { parameters, security: USUAL_SECURITY })
  const responses = { Error: errorAnswer() }
  const tags = new Set(endpoints.flatMap(({ operation }) => operation.tags))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipway',
      version: version.replace(/^v/, ''),
      description: INTRODUCTION,
      contact: { name: 'The administrators of this platform', url: baseUrl },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: USUAL_SECURITY,
    tags: [...tags].map((name) => ({ name, description: TAGS[name] ?? '' })),
    paths,
    components: {
      schemas: componentsFor([paths, responses]),
      parameters,
      responses,
      headers: HEADERS,
      securitySchemes: securitySchemes(baseUrl),
    },
  }
}

const INTRODUCTION = [
  'JSON in and out, `snake_case`, integer ids, times in UTC such as `2026-01-31T12:00:00Z`.',
  'Lists are bare arrays; the `Link` header with `rel="next"` leads to the next page; the last one has none.',
  'Errors are problems (RFC 9457): `code` never changes, `detail` says what to do. Every operation may also answer 500 or 503.',
  'Every answer carries `X-Request-Id`, which names the request in the log (send your own to follow it), and',
  '`X-Service-Version`, the release that answers.',
  'A 201 carries `Location` where the new record has an address.',
  'Answers may gain fields; what is removed is announced six months before.',
].join(' ')
