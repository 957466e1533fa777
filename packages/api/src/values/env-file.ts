/**
 * Reads the text of a `.env` file. Faults quote nothing of the text, since any of it may belong to a secret: a fault is a
 * line number and a sentence.
 *
 *   KEY=value            up to the end of the line, or to a # after a space; blanks around it are dropped
 *   KEY='value'          as it stands, over several lines if need be
 *   KEY="value"          the same, with \n \r \t \" \\ \$ for what they stand for
 *   export KEY=value     as shells have it
 *   # a comment          and empty lines are passed over
 *
 * `${OTHER}` is kept as written: the platform keeps values byte for byte.
 */
export type EnvEntry = {
  readonly key: string
  readonly value: string
  /** Where it begins, counted from 1. */
  readonly line: number
  /** Lines of the same key above it, which it takes the place of. */
  readonly earlier: readonly number[]
}
type EnvFault = { readonly line: number; readonly sentence: string }
export type ParsedEnv = {
  readonly entries: readonly EnvEntry[]
  readonly faults: readonly EnvFault[]
  readonly lineCount: number
}

export function parseEnv(text: string): ParsedEnv {
  // The byte order mark of Windows editors, and the line ends of Windows and old Macs.
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const entries = new Map<string, EnvEntry>()
  const faults: EnvFault[] = []
  let at = 0
  while (at < lines.length) {
    const line = at + 1
    const read = readEntry(lines, at)
    at = read.next
    if (read.sentence !== undefined) faults.push({ line, sentence: read.sentence })
    if (read.key === undefined || read.value === undefined) continue
    const before = entries.get(read.key)
    const earlier = before ? [...before.earlier, before.line] : []
    // Taken out first, so that it stands where it was set last.
    entries.delete(read.key)
    entries.set(read.key, { key: read.key, value: read.value, line, earlier })
  }
  const isLastEmpty = lines.at(-1) === ''
  return { entries: [...entries.values()], faults, lineCount: lines.length - (isLastEmpty ? 1 : 0) }
}

/** What begins in a line, and the line to go on with. */
type Read = {
  readonly next: number
  readonly key?: string
  readonly value?: string
  readonly sentence?: string
}

function readEntry(lines: readonly string[], at: number): Read {
  const line = lines[at] ?? ''
  if (/^\s*(#|$)/.test(line)) return { next: at + 1 }
  const begun = /^\s*(?:export\s+)?([^\s=]+)\s*=[ \t]*/.exec(line)
  if (begun === null) return { next: at + 1, sentence: 'is neither KEY=value nor a comment' }
  const [head, key = ''] = begun
  const quote = line[head.length]
  if (quote === '"' || quote === "'") return { key, ...readQuoted(lines, { at, from: head.length + 1, quote }) }
  const value = withoutComment(line.slice(head.length), head)
  if (/^-----BEGIN [^-]*-----/.test(value)) {
    return { next: endOfBlock(lines, at), sentence: 'has a value of several lines: put quotation marks around it' }
  }
  return { next: at + 1, key, value }
}

/** A # begins a comment where a blank is before it, so that one within a password is left alone. */
function withoutComment(rest: string, head: string): string {
  if (rest.startsWith('#') && /[ \t]$/.test(head)) return ''
  return rest.replace(/[ \t]#.*$/s, '').trimEnd()
}

/** The lines of a key that was pasted without quotation marks are no entries, though some may look so. */
function endOfBlock(lines: readonly string[], at: number): number {
  const end = lines.findIndex((line, index) => index >= at && /-----END [^-]*-----/.test(line))
  return end === -1 ? lines.length : end + 1
}

type Opened = { readonly at: number; readonly from: number; readonly quote: '"' | "'" }

function readQuoted(lines: readonly string[], { at, from, quote }: Opened): Omit<Read, 'key'> {
  const parts: string[] = []
  for (let index = at; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const start = index === at ? from : 0
    const end = closingQuote(line, start, quote)
    if (end === -1) {
      parts.push(line.slice(start))
      continue
    }
    parts.push(line.slice(start, end))
    if (!/^\s*(#.*)?$/.test(line.slice(end + 1))) {
      return { next: index + 1, sentence: 'has text after the closing quotation mark' }
    }
    const text = parts.join('\n')
    return { next: index + 1, value: quote === '"' ? withoutEscapes(text) : text }
  }
  return { next: lines.length, sentence: 'has quotation marks that are not closed: nothing after it was read' }
}

function closingQuote(line: string, from: number, quote: '"' | "'"): number {
  for (let index = from; index < line.length; index += 1) {
    if (line[index] === quote) return index
    if (quote === '"' && line[index] === '\\') index += 1
  }
  return -1
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
  ['$', '$'],
])

/** What stands for nothing keeps its backslash, as in a pattern. */
function withoutEscapes(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, character: string) => ESCAPES.get(character) ?? whole)
}
