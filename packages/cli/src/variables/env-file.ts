/**
 * Files of variables: lines KEY=VALUE, as `.env` files have them. Comments begin with #; `export` may stand before a key; a
 * value in single quotes is taken as it is, one in double quotes knows \n \r \t \" \\ \$, and both may go over several lines.
 * A line that is none of this is a fault: skipping it would leave a variable unset. Values are never repeated in a fault.
 */
import { UsageFault } from '../command-error.ts'
import { plainText } from '../terminal/neutralize.ts'

export function readEnvFile(text: string, file: string): (readonly [key: string, value: string])[] {
  const content = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  const entries: (readonly [string, string])[] = []
  let place = 0
  while (place < content.length) {
    const found = readEntry(content, place)
    if (found === undefined) {
      const line = content.slice(0, place).split('\n').length
      throw UsageFault(
        `${plainText(file)}, line ${line}: this is no KEY=VALUE`,
        'Put a value of several lines in quotes',
      )
    }
    if (found.entry) entries.push(found.entry)
    place = found.end
  }
  return entries
}

type Found = { readonly entry?: readonly [string, string]; readonly end: number }

function readEntry(content: string, place: number): Found | undefined {
  const blank = match(/[ \t]*(?:#[^\n]*)?(?:\n|$)/y, content, place)
  if (blank) return { end: place + blank[0].length }
  const head = match(/[ \t]*(?:export[ \t]+)?([^\s=#'"]+)[ \t]*=[ \t]*/y, content, place)
  if (!head) return undefined
  const [whole, key = ''] = head
  const start = place + whole.length
  const value = readQuoted(content, start) ?? readBare(content, start)
  const rest = match(/[ \t]*(?:#[^\n]*)?(?:\n|$)/y, content, value.end)
  return rest ? { entry: [key, value.text], end: value.end + rest[0].length } : undefined
}

type Value = { readonly text: string; readonly end: number }

function readQuoted(content: string, start: number): Value | undefined {
  const single = match(/'([^']*)'/y, content, start)
  if (single) return { text: single[1] ?? '', end: start + single[0].length }
  const double = match(/"((?:[^"\\]|\\[\s\S])*)"/y, content, start)
  if (!double) return undefined
  const text = (double[1] ?? '').replaceAll(/\\([nrt"\\$])/g, (_, sign: string) => ESCAPES[sign] ?? sign)
  return { text, end: start + double[0].length }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** To the end of the line, or to a comment after a space. A quote that begins a value and does not end is a fault of its line. */
function readBare(content: string, start: number): Value {
  const line = match(/(?!['"])[^\n]*?(?=[ \t]+#|[ \t]*(?:\n|$))/y, content, start)
  return { text: line?.[0] ?? '', end: start + (line?.[0].length ?? 0) }
}

function match(pattern: RegExp, content: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place
  return pattern.exec(content)
}
