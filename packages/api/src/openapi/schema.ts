// Turns the zod schemas of the contract into JSON Schema, with shapes that repeat written once, by name.
import { z } from 'zod'
import type { Schema, SchemaRule } from './document.ts'
import { REQUEST_SHAPES, SHAPES } from './shapes.ts'

type Direction = 'input' | 'output'

/** What a request may hold (`input`), or what an answer holds (`output`). */
export function schemaOf(schema: z.ZodType, io: Direction): Schema {
  return simplify(translate(schema, io), io) as Schema
}

/** The named shapes that schemas lead to, directly or through one another, in the order of their list. */
export function componentsFor(used: unknown): Record<string, Schema> {
  const components = allComponents()
  const names = new Set<string>()
  const collect = (value: unknown): void => {
    for (const name of namesIn(value)) {
      if (names.has(name)) continue
      names.add(name)
      collect(components[name])
    }
  }
  collect(used)
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.has(name)))
}

/** Where translated schemas carry the name of their shape, until it becomes a reference. */
const NAME = 'x-name'
/** Where they carry the name of the shape that they extend. */
const EXTENDS = 'x-extends'

const allShapes: Readonly<Record<string, z.ZodType>> = { ...SHAPES, ...REQUEST_SHAPES }

const named = new Map<unknown, string>(Object.entries(allShapes).map(([name, schema]) => [schema, name]))

/** Made when the document is requested: the start does not wait for it. */
const allComponents = (): Record<string, Schema> =>
  Object.fromEntries([
    ...Object.entries(SHAPES).map(([name, schema]) => [name, component(schema, 'output')]),
    ...Object.entries(REQUEST_SHAPES).map(([name, schema]) => [name, component(schema, 'input')]),
  ])

function component(schema: z.ZodType, io: Direction): Schema {
  const { [NAME]: _, ...body } = translate(schema, io)
  return simplify(body, io) as Schema
}

function translate(schema: z.ZodType, io: Direction): Record<string, unknown> {
  const { $schema: _, ...translated } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const name = named.get(zodSchema)
      if (name !== undefined) jsonSchema[NAME] = name
      const base = io === 'output' ? extendedShape(zodSchema) : undefined
      if (base !== undefined) jsonSchema[EXTENDS] = base
      const rules = io === 'input' ? rulesOf(zodSchema) : []
      if (rules.length > 0) jsonSchema['x-rules'] = rules
    },
  })
  return translated
}

/** JSON Schema cannot say "a branch that git accepts"; the sentence that breaking the rule gives can. */
function rulesOf(schema: z.core.$ZodType): SchemaRule[] {
  return (schema._zod.def.checks ?? []).flatMap((check) => {
    if (!(check instanceof z.core.$ZodCustom)) return []
    const { params, error } = check._zod.def
    const code = z.object({ code: z.string() }).safeParse(params).data?.code
    const detail = error?.({ code: 'custom', input: undefined, path: [] })
    return code !== undefined && typeof detail === 'string' ? [{ code, detail }] : []
  })
}

/** The named shape that a schema extends: it has all the fields of it, and others. */
function extendedShape(schema: z.core.$ZodType): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined
  const { shape } = schema
  return Object.entries(SHAPES).find(
    ([, base]) =>
      base instanceof z.ZodObject &&
      Object.keys(base.shape).length < Object.keys(shape).length &&
      Object.entries(base.shape).every(([key, field]) => shape[key] === field),
  )?.[0]
}

function simplify(value: unknown, io: Direction): unknown {
  if (Array.isArray(value)) return value.map((item) => simplify(item, io))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const name = entries.find(([key]) => key === NAME)?.[1]
  if (typeof name === 'string') {
    const own = entries.filter(
      ([key, item]) => key === 'default' || (key === 'description' && item !== allShapes[name]?.description),
    )
    return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(own) }
  }
  const base = entries.find(([key]) => key === EXTENDS)?.[1]
  if (typeof base === 'string') return extension(base, value, io)
  const isTime = entries.some(([key, item]) => key === 'format' && item === 'date-time')
  return withoutNullBranch(
    Object.fromEntries(
      entries
        .filter(([key, item]) => !isNoise(key, item, { isTime, io }))
        .map(([key, item]) => [key, simplify(item, io)]),
    ),
  )
}

/** A plain value that may be null is written as its type or null, which is shorter than a choice of two schemas. */
function withoutNullBranch(schema: Schema): Schema {
  const [value, nothing, ...more] = schema.anyOf ?? []
  if (nothing?.type !== 'null' || more.length > 0 || !isPlain(value)) return schema
  const { anyOf: _, ...own } = schema
  return { ...value, type: [value.type, 'null'], ...(value.enum && { enum: [...value.enum, null] }), ...own }
}

const isPlain = (schema: Schema | undefined): schema is Schema & { type: string } =>
  typeof schema?.type === 'string' && schema.type !== 'object' && schema.type !== 'array'

/** What the named shape has, and the fields beyond it. */
function extension(base: string, value: object, io: Direction): Schema {
  const { [EXTENDS]: _, ...own } = value as Schema & { [EXTENDS]?: string }
  const inherited = SHAPES[base as keyof typeof SHAPES]
  const isOwn = (key: string): boolean => !(inherited instanceof z.ZodObject) || !(key in inherited.shape)
  const { description, properties = {}, required = [] } = simplify(own, io) as Schema
  return {
    ...(description !== undefined && { description }),
    allOf: [
      { $ref: `#/components/schemas/${base}` },
      {
        type: 'object',
        properties: Object.fromEntries(Object.entries(properties).filter(([key]) => isOwn(key))),
        required: required.filter(isOwn),
      },
    ],
  }
}

/** Bounds of every JavaScript number and of ids in answers say nothing; a time has its format; an answer may gain fields. */
function isNoise(key: string, value: unknown, { isTime, io }: { isTime: boolean; io: Direction }): boolean {
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER || (value === 1 && io === 'output')
  if (key === 'pattern') return isTime
  return key === 'additionalProperties' && value === false && io === 'output'
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '')
}
