// Turns the answer of a route into the schema that Fastify serialises by: a field that it does not name cannot leave.
import type { Route } from '@shipway/api/route'
import { z } from 'zod'

export function responseSchema(route: Route): Record<number, unknown> {
  if (!route.answer || route.answerType) return {}
  const schema = z.toJSONSchema(route.answer, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    reused: 'inline',
  })
  const plain = plainNull(schema)
  return { [route.success]: plain, ...(route.mayBeLater && { 202: plain }) }
}

/**
 * zod writes a nullable value as `anyOf: [X, null]`, for which the serialiser would validate each value to choose a branch.
 * `nullable` says the same and costs nothing.
 */
function plainNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainNull)
  if (typeof schema !== 'object' || schema === null) return schema
  // A field may have the name of a rule: then a schema stands there, and never in a rule.
  const entries = Object.entries(schema).filter(([key, value]) => !unused.has(key) || typeof value === 'object')
  const walked = Object.fromEntries(entries.map(([key, value]) => [key, plainNull(value)]))
  const branches: unknown = walked.anyOf
  if (!Array.isArray(branches) || branches.length !== 2 || !branches.some(isNull)) return walked
  const other: unknown = branches.find((branch) => !isNull(branch))
  return typeof other === 'object' ? { ...other, nullable: true } : walked
}

/** Rules for what comes in; what goes out was checked when it came in. `format` would make the serialiser rewrite times. */
const unused = new Set(['$schema', 'format', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'description'])

const isNull = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
