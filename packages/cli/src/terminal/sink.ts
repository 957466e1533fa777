// Standard output or standard error. Everything that is printed is sanitized here; of control sequences, only colors survive.
import { once } from 'node:events'
import { styleText } from 'node:util'
import { coloredLines, plainLines } from './sanitize.ts'

/** Color for a state, and never its only sign. */
export type Paint = {
  /** In progress. */
  accent(text: string): string
  failed(text: string): string
  /** The user has to act. */
  amber(text: string): string
  faint(text: string): string
  strong(text: string): string
}

export type Sink = {
  readonly isTerminal: boolean
  readonly hasColor: boolean
  readonly paint: Paint
  /** Undefined for a pipe or a file. */
  size(): { readonly columns: number; readonly rows: number } | undefined
  /** One line, or several. */
  print(text: string): void
  /** For drawing in place. `lines` are sanitized; `before` and `after` are sent as they are. */
  draw(parts: { readonly before: string; readonly lines: readonly string[]; readonly after: string }): void
  /** Without sanitizing. */
  writeRaw(text: string | Uint8Array): void
  /** Resolves when the reader has taken the output, or on abort: so that large output is not buffered in memory. */
  drained(signal: AbortSignal): Promise<void>
  onResize(listener: () => void): () => void
}

type SinkOptions = { readonly isColorWanted: boolean; readonly isUtf8: boolean }

export function openSink(stream: NodeJS.WriteStream, { isColorWanted, isUtf8 }: SinkOptions): Sink {
  const isTerminal = stream.isTTY === true
  const hasColor = isTerminal && isColorWanted
  const safe = (text: string): string => {
    const clean = hasColor ? coloredLines(text) : plainLines(text)
    return isTerminal && !isUtf8 ? toAscii(clean) : clean
  }
  return {
    isTerminal,
    hasColor,
    paint: hasColor ? COLORS : NO_COLORS,
    size: () => (isTerminal ? { columns: stream.columns || 80, rows: stream.rows || 24 } : undefined),
    print: (text) => stream.write(`${safe(text)}\n`),
    draw: ({ before, lines, after }) =>
      stream.write(`${before}${lines.map((line) => safe(line) + LINE_END).join('')}${after}`),
    writeRaw: (text) => stream.write(text),
    drained: async (signal) => {
      if (stream.writableNeedDrain) await once(stream, 'drain', { signal }).catch(ifAborted(signal))
    },
    onResize: (listener) => {
      stream.on('resize', listener)
      return () => stream.off('resize', listener)
    },
  }
}

/** For a terminal without UTF-8: our own symbols become ASCII characters, others become question marks. */
const toAscii = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII
  text.replaceAll(/[^\u0000-\u007f]/gu, (sign) => ASCII_LETTERS[sign] ?? '?')

/** One column each, so that measured widths stay correct. */
const ASCII_LETTERS: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '·': '-',
  '…': '~',
  '–': '-',
  '’': "'",
  ...Object.fromEntries([...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'].map((sign, index) => [sign, '|/-\\'.charAt(index % 4)])),
}

/** On abort, the caller checks the signal. */
const ifAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
}

/** Erases the rest of an earlier, longer line. */
const LINE_END = '\u001b[K\n'

const color = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false })

const COLORS: Paint = {
  accent: color('cyan'),
  failed: color('red'),
  amber: color('yellow'),
  faint: color('dim'),
  strong: color('bold'),
}

const same = (text: string): string => text
const NO_COLORS: Paint = { accent: same, failed: same, amber: same, faint: same, strong: same }
