// Standard output or standard error as commands use them. Whatever is printed passes here, and only colors survive of what terminals obey.
import { once } from 'node:events'
import { styleText } from 'node:util'
import { toAscii } from './ascii.ts'
import { coloredLines, plainLines } from './sanitize.ts'

/** Color for a state, and never its only sign. */
export type Paint = {
  /** Something moves. */
  accent(text: string): string
  failed(text: string): string
  /** Somebody has to do something. */
  amber(text: string): string
  faint(text: string): string
  strong(text: string): string
}

export type Sink = {
  readonly isTerminal: boolean
  readonly hasColor: boolean
  readonly paint: Paint
  /** Undefined where lines have no end to speak of: a pipe, a file. */
  size(): { readonly columns: number; readonly rows: number } | undefined
  /** One line, or several. */
  print(text: string): void
  /** For what moves the cursor; `text` is made safe, `before` and `after` are sent as they are. */
  draw(parts: { readonly before: string; readonly lines: readonly string[]; readonly after: string }): void
  /** As it is, to the last byte. */
  writeRaw(text: string): void
  /** Once whoever reads has taken what was printed, or the signal is aborted: of much output not all is held in memory. */
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

/** Whoever gave up waiting looks at the signal. */
const ifAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
}

/** Takes away what an earlier, longer line has left. */
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
