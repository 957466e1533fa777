/**
 * Replaces zod in the built dashboard. The platform that serves a page also answers its requests, so responses are not validated:
 * building all schemas of the contract took a quarter of the startup time on slow machines. Enums still validate, because pages list
 * their options and parse addresses with them.
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

/** Every method of a schema returns a schema, so that describe() or optional() change nothing. */
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
