// One route as an operation of the OpenAPI document.
import { type ErrorCode, PROBLEMS } from '../problem.ts'
import type { Route } from '../route.ts'
import type { Answer, Operation } from './document.ts'
import { parametersOf } from './parameters.ts'
import { errorsOf } from './route-errors.ts'
import { schemaOf } from './schema.ts'

export function operationOf(name: string, route: Route): Operation {
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(isRemoved(route) && { deprecated: true }),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...requestBodyOf(route),
    responses: { ...successOf(route), ...problemsOf(route) },
    'x-permission': route.permission,
    'x-scope': route.scope,
  }
}

/** The resource: the first word after `/api`. Routes about the platform itself share one. */
function tagOf({ path }: Route): string {
  const word = /^\/api\/([a-z-]+)(\/|$)/.exec(path)?.[1]
  return word === undefined || word === 'reference' ? 'platform' : word
}

function securityOf(route: Route): Operation['security'] {
  if (route.permission === 'public') return []
  if (route.sessionOnly) return [{ session: [] }]
  const scopes = route.scope === 'none' ? [] : [route.scope]
  return [{ bearer: scopes }, { oauth: scopes }, { session: [] }]
}

function requestBodyOf({ body }: Route): Pick<Operation, 'requestBody'> {
  if (!body) return {}
  const required = !body.safeParse(undefined).success
  return { requestBody: { required, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }
}

/** An endpoint that was removed answers with its problem only. */
const isRemoved = (route: Route): boolean => route.errors?.includes('endpoint_removed') === true

function successOf(route: Route): Record<string, Answer> {
  if (isRemoved(route)) return {}
  const headers = ['X-Request-Id', 'X-Service-Version']
  if (route.success === 201) headers.push('Location')
  if (route.query && 'cursor' in route.query.shape) headers.push('Link')
  if (route.versioned) headers.push('ETag')
  if (route.idempotent) headers.push('Idempotent-Replayed')
  const type = route.answerType ?? 'application/json'
  const content = route.answer && { [type]: { schema: schemaOf(route.answer, 'output') } }
  const description = SUCCESS[route.success]
  const answer = (says: string): Answer => ({
    description: says,
    headers: references(headers),
    ...(content && { content }),
  })
  return {
    [route.success]: answer(description),
    ...(route.mayBeLater && { 202: answer('Taken on, and not done yet') }),
    ...(route.ranged && { 206: answer('The part that `Range` asks for') }),
  }
}

const SUCCESS = {
  101: 'A WebSocket from here on',
  200: 'Done',
  201: 'Made',
  202: 'Taken on',
  204: 'Done; there is no body',
} as const

function problemsOf(route: Route): Record<string, Answer> {
  const byStatus = Map.groupBy(errorsOf(route), (code) => PROBLEMS[code].status)
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, problemAnswer(status, codes)]))
}

function problemAnswer(status: number, codes: ErrorCode[]): Answer {
  const header = status === 401 ? 'WWW-Authenticate' : status === 429 || status === 503 ? 'Retry-After' : undefined
  const schema = { $ref: '#/components/schemas/Problem', properties: { code: { enum: codes } } }
  return {
    description: codes.map((code) => PROBLEMS[code].title).join('; '),
    ...(header !== undefined && { headers: references([header]) }),
    content: { 'application/problem+json': { schema } },
  }
}

const references = (names: readonly string[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
