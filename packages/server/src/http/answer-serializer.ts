// Serializes the answers of routes by their schemas: a field that a schema does not name cannot leave.
import type { Route } from '@shipway/api/route'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import { z } from 'zod'

type Serialize = (answer: unknown) => string

/** For Fastify, which asks for a serializer for each status. */
export function answerOptions({ answer, answerType, success, mayBeLater }: Route) {
  if (!answer || answerType) return {}
  return {
    schema: { response: { [success]: answer, ...(mayBeLater && { 202: answer }) } },
    serializerCompiler: () => answerSerializer(answer),
  }
}

/**
 * Compiled at the first answer. To compile those of all routes took a quarter of the work of a start, and most processes never need most
 * of them. They are the same for every application in the process.
 */
function answerSerializer(schema: z.ZodType): Serialize {
  return (answer) => {
    const serialize = compiled.get(schema) ?? compile(schema)
    return serialize(answer)
  }
}

const compiled = new WeakMap<z.ZodType, Serialize>()

function compile(schema: z.ZodType): Serialize {
  const jsonSchema = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    reused: 'inline',
  })
  const serialize = fastJsonStringify(plainNull(jsonSchema) as Schema)
  compiled.set(schema, serialize)
  return serialize
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
