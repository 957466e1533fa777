// Prompts on the terminal. They use standard error, so that results can go into a pipe.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Interrupted, UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from './sanitize.ts'

type Prompting = {
  readonly stdin: NodeJS.ReadableStream
  readonly err: Pick<Context['err'], 'writeRaw'>
  readonly signal: AbortSignal
}

/** Whether a user can answer. */
export const canAsk = (ctx: Pick<Context, 'stdin' | 'err'>): boolean => ctx.stdin.isTTY === true && ctx.err.isTerminal

export const askYesNo = (ctx: Prompting, question: string): Promise<boolean> =>
  withPrompt(ctx, { echo: ctx.err.writeRaw, prompt: `${plainText(question)} [y/N] ` }, async ({ next }) =>
    /^y(es)?$/i.test((await next()).trim()),
  )

/** Typed text is never shown, not even if it is typed early or pasted at once. */
export const askHidden = (ctx: Prompting, labels: readonly string[]): Promise<[label: string, answer: string][]> =>
  withPrompt(ctx, { echo: () => undefined, prompt: '' }, async ({ next, hasMore }) => {
    const answers: [string, string][] = []
    for (const label of labels) {
      ctx.err.writeRaw(`${plainText(label)}: `)
      answers.push([label, await next()])
      ctx.err.writeRaw('(typed, not shown)\n')
    }
    // Otherwise half of a key, or one value in place of another, would be stored silently.
    if (hasMore())
      throw UsageError('More lines were typed than asked for', 'Pipe in a value of several lines: shipway … <FILE')
    return answers
  })

type TypedLines = {
  next(): Promise<string>
  /** Whether more lines were typed than asked for. */
  hasMore(): boolean
}
type PromptOptions = { readonly echo: (text: string) => void; readonly prompt: string }

/** The terminal's own echo is off; `echo` shows what is typed. */
async function withPrompt<Result>(
  { stdin, signal }: Prompting,
  { echo, prompt }: PromptOptions,
  work: (typed: TypedLines) => Promise<Result>,
): Promise<Result> {
  const output = new Writable({
    write: (piece, _encoding, done) => {
      echo(String(piece))
      done()
    },
  })
  // No history: the up key would bring a secret into the next answer.
  const lines = createInterface({ input: stdin, output, terminal: true, prompt, signal, historySize: 0 })
  const answers = lines[Symbol.asyncIterator]()
  // In this mode the terminal sends Ctrl-C, Ctrl-D and Ctrl-Z as keys.
  lines.once('SIGINT', () => lines.close())
  // If the process were stopped, the terminal would echo what is typed.
  lines.on('SIGTSTP', () => undefined)
  let waiting = 0
  lines.on('line', () => waiting++)
  const next = async (): Promise<string> => {
    const { value, done } = await answers.next()
    if (done) throw Interrupted('Interrupted')
    waiting--
    return value
  }
  try {
    lines.prompt()
    return await work({ next, hasMore: () => waiting > 0 || lines.line !== '' })
  } finally {
    lines.close()
  }
}
