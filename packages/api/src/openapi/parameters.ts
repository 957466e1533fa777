// What a route takes in its address and its headers, as parameters of the OpenAPI document.
import { z } from 'zod'
import type { Route } from '../route.ts'
import type { Parameter, Schema } from './document.ts'
import { isConditional, isNarrowed } from './route-errors.ts'
import { schemaOf } from './schema.ts'

export function parametersOf(route: Route): Parameter[] {
  return [
    ...(route.params ? fromSchema(route.params, 'path') : []),
    ...(route.query ? fromSchema(route.query, 'query') : []),
    ...(isNarrowed(route) && route.permission !== 'public' && !route.sessionOnly ? [ORGANIZATION] : []),
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(isConditional(route) ? [IF_MATCH] : []),
  ]
}

function fromSchema(object: z.ZodObject, location: 'path' | 'query'): Parameter[] {
  const taken = schemaOf(object, 'input')
  const read: Schema = z.toJSONSchema(object, { io: 'output', unrepresentable: 'any' }) as Schema
  return Object.entries(taken.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: location,
    ...((location === 'path' || taken.required?.includes(name)) && { required: true }),
    ...(description !== undefined && { description }),
    schema: asNumber(schema, read.properties?.[name]),
  }))
}

/** An address is text, yet a caller thinks of an id or a limit as a whole number, and so does a generated client. */
function asNumber(taken: Schema, read: Schema | undefined): Schema {
  if (taken['x-rules']?.some(({ code }) => code === 'invalid_id')) return { type: 'integer', minimum: 1 }
  if (!/^\^\[0-9\]\{1,\d+\}\$$/.test(taken.pattern ?? '')) return taken
  const { minimum = 0, maximum } = read ?? {}
  return { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) }
}

const ORGANIZATION: Parameter = {
  name: 'X-Service-Organization',
  in: 'header',
  description: 'The id of an organization of yours: narrows the call to it',
  schema: { type: 'integer', minimum: 1 },
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A text of your own: the same request with the same key within 24 hours gets the first answer again',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
}

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag that you read: the change is refused when the record has changed since',
  schema: { type: 'string' },
}
