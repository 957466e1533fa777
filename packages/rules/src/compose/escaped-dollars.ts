// Compose substitutes variables after a dollar sign, so a literal dollar is written as two. Compose prints its own model that way, keys
// too, though it reads keys literally.

/** Unescapes what Compose has printed. */
export function withoutEscapes(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$$', '$')
  if (Array.isArray(value)) return value.map(withoutEscapes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replaceAll('$$', '$'), withoutEscapes(inner)]),
  )
}

/** JSON that Compose reads literally, without substitution. */
export function composeJson(document: unknown): string {
  const json = JSON.stringify(document, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('$', '$$$$') : value,
  )
  // Compose reads it as YAML, where these characters are line ends or not allowed, unless they are written by their numbers.
  return json.replaceAll(UNLIKE_YAML, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const UNLIKE_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
