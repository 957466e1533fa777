// Parses the `.env` of a repository: default values for variables in the compose file, which the environment's variables override.
import { interpolate } from './interpolation.ts'

/** Skips invalid lines. Compose gets the result, and never reads the file itself. */
export function parseDotenv(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const lines = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  for (const [, name = '', , single, double, backtick, plain = ''] of lines.matchAll(LINE)) {
    if (values.size >= MOST_VALUES) break
    const lookUp = (key: string) => (values.has(key) ? { text: values.get(key) ?? '' } : ('unset' as const))
    const literal = single ?? backtick
    const written = double === undefined ? plain.replace(/\s+#.*$/, '').trim() : withoutEscapes(double)
    const value = literal ?? interpolate(written, lookUp).text
    if (!value.includes('\0')) values.set(name, value)
  }
  return values
}

const MOST_VALUES = 500

/** A value in quotes may have several lines. */
const LINE =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*[=:][ \t]*(?:('([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|`([^`]*)`)[ \t]*(?:#.*)?|([^\n]*))$/gm

const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\([nrt"\\$])/g, (_, character: string) => ESCAPES[character] ?? character)

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', $: '$$' }
