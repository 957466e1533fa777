// A context for commands that need no platform. It records the output as text.
import type { Context, GlobalFlags } from '../src/context.ts'
import type { Sink } from '../src/terminal/sink.ts'

export type Recorded = { readonly ctx: Context; out(): string; err(): string }

/** `columns`: the width of a terminal; without it, output goes to a pipe. */
export function recordedContext(
  folder: string,
  { flags = {}, columns }: { readonly flags?: GlobalFlags; readonly columns?: number } = {},
): Recorded {
  const out = recordedSink(columns)
  const err = recordedSink(columns)
  const never = (): never => {
    throw new Error('The command asked for a platform')
  }
  const ctx: Context = {
    config: {
      url: undefined,
      token: undefined,
      organization: undefined,
      importToken: undefined,
      credentialsFile: '',
      isColorWanted: false,
      isDumbTerminal: false,
      isUtf8: true,
      hasDesktop: false,
    },
    flags,
    out: out.sink,
    err: err.sink,
    stdin: process.stdin,
    folder,
    signal: new AbortController().signal,
    client: never,
    completions: never,
    skill: never,
  }
  return { ctx, out: out.text, err: err.text }
}

function recordedSink(columns: number | undefined): { readonly sink: Sink; text(): string } {
  let text = ''
  const same = (words: string): string => words
  const sink: Sink = {
    isTerminal: false,
    hasColor: false,
    paint: { accent: same, failed: same, amber: same, faint: same, strong: same },
    size: () => (columns === undefined ? undefined : { columns, rows: 40 }),
    print: (line) => {
      text += `${line}\n`
    },
    draw: ({ lines }) => {
      text += lines.join('\n')
    },
    writeRaw: (piece) => {
      text += typeof piece === 'string' ? piece : new TextDecoder().decode(piece)
    },
    drained: async () => undefined,
    onResize: () => () => undefined,
  }
  return { sink, text: () => text }
}
