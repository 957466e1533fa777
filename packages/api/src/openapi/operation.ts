// One route as an operation of the OpenAPI document.
import type { Route } from '../route.ts'
import type { Answer, Operation } from './document.ts'
import { errorAnswersOf } from './error-answer.ts'
import { headerReferences } from './headers.ts'
import { parametersOf } from './parameters.ts'
import { ownErrorsOf } from './route-errors.ts'
import { schemaOf } from './schema.ts'
import { securityOf } from './security.ts'

export function operationOf(name: string, route: Route): Operation {
  const ownErrors = ownErrorsOf(route)
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary: route.summary,
    description: route.description,
    ...(isRemoved(route) && { deprecated: true }),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...requestBodyOf(route),
    responses: { ...successOf(route), ...errorAnswersOf(ownErrors) },
    'x-permission': route.permission,
    'x-scope': route.scope,
    ...(Object.keys(ownErrors).length > 0 && { 'x-errors': ownErrors }),
  }
}

/** The resource: the first word after `/api`. Routes about the platform itself share one. */
function tagOf({ path }: Route): string {
  const word = /^\/api\/([a-z-]+)(\/|$)/.exec(path)?.[1]
  return word === undefined || word === 'reference' ? 'platform' : word
}

function requestBodyOf({ body, streamedBody }: Route): Pick<Operation, 'requestBody'> {
  if (streamedBody) return { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } }
  if (!body) return {}
  const required = !body.safeParse(undefined).success
  return { requestBody: { required, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }
}

/** An endpoint that was removed answers with its problem only. */
const isRemoved = (route: Route): boolean => route.errors?.includes('endpoint_removed') === true

function successOf(route: Route): Record<string, Answer> {
  if (isRemoved(route)) return { '2XX': { description: 'Never: the endpoint was removed' } }
  const headers = [...(route.versioned ? ['ETag'] : []), ...(route.idempotent ? ['Idempotent-Replayed'] : [])]
  const type = route.answerType ?? 'application/json'
  const content = route.answer && { [type]: { schema: schemaOf(route.answer, 'output') } }
  const answer = (description: string): Answer => ({
    description,
    ...(headers.length > 0 && { headers: headerReferences(headers) }),
    ...(content && { content }),
  })
  return {
    [route.success]: answer(SUCCESS[route.success]),
    ...(route.success === 101 && {
      '2XX': answer('Only through a proxy that speaks HTTP/2 (RFC 8441): a WebSocket'),
    }),
    ...(route.mayBeLater && { 202: answer('Accepted, and not done yet') }),
    ...(route.ranged && { 206: answer('The part that `Range` asks for') }),
  }
}

const SUCCESS = {
  101: 'A WebSocket from here on',
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done',
} as const
