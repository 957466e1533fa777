// Compose puts variables into values after a dollar sign, so a value that is to stay as it is has two for each. Compose writes its
// own model like that, keys too, though it reads keys as they are.

/** All that Compose has written, as it is meant. */
export function withoutEscapes(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$$', '$')
  if (Array.isArray(value)) return value.map(withoutEscapes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replaceAll('$$', '$'), withoutEscapes(inner)]),
  )
}

/** JSON that Compose reads as a file with nothing left to put in. */
export function composeJson(document: unknown): string {
  const json = JSON.stringify(document, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('$', '$$$$') : value,
  )
  // Compose reads it as YAML, where these characters are line ends or not allowed, unless they are written by their numbers.
  return json.replaceAll(UNLIKE_YAML, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const UNLIKE_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
