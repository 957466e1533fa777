/**
 * Reads an answer of a platform of another release: an older one lacks fields that were added since, a newer one has values that this
 * release does not know. A missing field is null, an empty list or false where the contract allows that, or the value that it was added
 * with (`addedLater`). An unknown word of an enumeration stays as it is. An answer that lacks anything else is not read.
 */
import { z } from 'zod'

/** Throws `Unreadable`, with the path of the first fault. */
export function readOtherRelease(shape: z.ZodType, value: unknown, path = ''): unknown {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable) return readOptional(shape, value, path)
  const given = value === undefined ? valueBefore(shape) : value
  if (shape instanceof z.ZodObject && isRecord(given)) return readObject(shape, given, path)
  if (shape instanceof z.ZodArray && Array.isArray(given)) {
    const element = shape.element as z.ZodType
    return given.map((item, index) => readOtherRelease(element, item, `${path}/${index}`))
  }
  if (shape instanceof z.ZodEnum && typeof given === 'string') return given
  const { success, data } = shape.safeParse(given)
  if (!success) throw new Unreadable(path)
  return data
}

export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  /** A JSON pointer into the answer. */
  readonly path: string

  constructor(path: string) {
    super(`The answer could not be read at ${path === '' ? 'its beginning' : path}`)
    this.path = path
  }
}

function readOptional(shape: z.ZodOptional | z.ZodNullable, value: unknown, path: string): unknown {
  if (value === undefined) return shape instanceof z.ZodNullable ? null : undefined
  return value === null && shape instanceof z.ZodNullable
    ? null
    : readOtherRelease(shape.unwrap() as z.ZodType, value, path)
}

function readObject(shape: z.ZodObject, value: Readonly<Record<string, unknown>>, path: string): object {
  const fields = Object.entries(shape.shape).map(([name, field]) => {
    const own = Object.hasOwn(value, name) ? value[name] : undefined
    return [name, readOtherRelease(field as z.ZodType, own, `${path}/${name}`)]
  })
  // An object that is open for more fields, such as a whole OpenAPI document, keeps them.
  return { ...(shape.def.catchall instanceof z.ZodUnknown && value), ...Object.fromEntries(fields) }
}

/** What an answer has where it lacks the field: undefined if it cannot do without. */
export function valueBefore(shape: z.ZodType): unknown {
  const added = laterFields.get(shape)
  if (added) return added.before
  if (shape instanceof z.ZodArray) return []
  return shape instanceof z.ZodBoolean ? false : undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const laterFields = z.registry<{ readonly before: unknown }>()

/**
 * Marks a field of an answer that older platforms do not send, with the value that is true of them. Fields that may be null, lists and
 * booleans need no mark.
 */
export function addedLater<Shape extends z.ZodType>(shape: Shape, before: z.output<Shape>): Shape {
  // A copy: other fields use the same shape.
  const marked = shape.clone()
  laterFields.add(marked, { before })
  return marked
}
