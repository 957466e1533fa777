/**
 * What stands for zod in the built dashboard. The platform that serves a page also answers it, so answers are taken as they are; to make
 * the schemas of the whole contract took a quarter of the time until a slow machine showed anything. Choices still know what they allow:
 * pages list them, and addresses are held against them.
 */

type Parsed = { readonly success: true; readonly data: unknown } | { readonly success: false; readonly error: Error }

const taken: Readonly<Record<string, unknown>> = {
  safeParse: (data: unknown): Parsed => ({ success: true, data }),
  parse: (data: unknown): unknown => data,
}

export const z: unknown = schemaOf({
  enum: (options: readonly string[]) => choiceOf(options),
})

function choiceOf(options: readonly string[]): unknown {
  const safeParse = (data: unknown): Parsed =>
    options.some((option) => option === data)
      ? { success: true, data }
      : { success: false, error: new RangeError(`${String(data)} is none of ${options.join(', ')}`) }
  const parse = (data: unknown): unknown => {
    const parsed = safeParse(data)
    if (!parsed.success) throw parsed.error
    return data
  }
  return schemaOf({ options, safeParse, parse })
}

/** Answers to whatever a schema is asked for with a schema: to be described or made optional changes nothing about it. */
function schemaOf(own: Readonly<Record<string, unknown>>): unknown {
  const known: Readonly<Record<string, unknown>> = { ...taken, ...own }
  const schema: unknown = new Proxy(() => undefined, {
    get: (_, name) => {
      if (typeof name === 'symbol' || name === 'then') return undefined
      return known[name] ?? part
    },
    apply: () => schema,
  })
  const part: unknown = new Proxy(() => undefined, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : (taken[name] ?? part)),
    apply: () => schema,
  })
  return schema
}
