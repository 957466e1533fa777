// Schemas as a reader wants them: what has no fields of its own stands where it is used, and an extended shape has all its fields.
import type { OpenApiDocument, Schema } from '../openapi/document.ts'

/** The same document with these schemas. Only shapes with fields keep a name. */
export function withExpandedSchemas(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  const shapes = Object.entries(schemas).filter(([, schema]) => hasFields(schema))
  const components = { ...document.components, schemas: Object.fromEntries(shapes) }
  return expand({ ...document, components }, schemas) as OpenApiDocument
}

type Shapes = Readonly<Record<string, Schema>>

const hasFields = ({ properties, allOf }: Schema): boolean => properties !== undefined || allOf !== undefined

function expand(value: unknown, shapes: Shapes): unknown {
  if (Array.isArray(value)) return value.map((item) => expand(item, shapes))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, shapes)])) as Schema
  const shape = entries.$ref === undefined ? undefined : shapeOf(entries.$ref, shapes)
  if (shape && !hasFields(shape)) {
    const { $ref: _, ...own } = entries
    return { ...shape, ...own }
  }
  return entries.allOf ? flattened(entries, shapes) : entries
}

function flattened({ allOf = [], ...rest }: Schema, shapes: Shapes): Schema {
  const parts = allOf.map((part) =>
    part.$ref === undefined ? part : (expand(shapeOf(part.$ref, shapes), shapes) as Schema),
  )
  return {
    type: 'object',
    ...rest,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required ?? []),
  }
}

const shapeOf = (reference: string, shapes: Shapes): Schema | undefined =>
  reference.startsWith(SCHEMAS) ? shapes[reference.slice(SCHEMAS.length)] : undefined

const SCHEMAS = '#/components/schemas/'
