// Parses the `.env` of a repository: default values for variables in the compose file, which the environment's variables override.
import { interpolate } from './interpolation.ts'

/** Skips invalid lines. Compose gets the result, and never reads the file itself. */
export function parseDotenv(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let room = MOST_CHARACTERS
  const lines = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  for (const [, name = '', , single, double, backtick, plain = ''] of lines.matchAll(LINE)) {
    if (values.size >= MOST_VALUES) break
    const lookUp = (key: string) => (values.has(key) ? { text: values.get(key) ?? '' } : ('unset' as const))
    const literal = single ?? backtick
    const written = double === undefined ? withoutComment(plain) : withoutEscapes(double)
    const { text, isKnown } = literal === undefined ? interpolate(written, lookUp) : { text: literal, isKnown: true }
    // The length is known before the text is put together.
    if (!isKnown || text.length > room || text.includes('\0')) continue
    room -= text.length
    values.set(name, text)
  }
  return values
}

const MOST_VALUES = 500
/** Of all values together: each can repeat the ones before it. */
const MOST_CHARACTERS = 1024 * 1024

function withoutComment(text: string): string {
  const begin = text.search(/\s#/)
  return (begin === -1 ? text : text.slice(0, begin)).trim()
}

/** A value in quotes may have several lines. */
const LINE =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*[=:][ \t]*(?:('([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|`([^`]*)`)[ \t]*(?:#.*)?|([^\n]*))$/gm

const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\([nrt"\\$])/g, (_, character: string) => ESCAPES[character] ?? character)

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', $: '$$' }
