// Questions to the person at the terminal. They are asked on standard error, so that results can go into a pipe.
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

/** Whether there is somebody to answer. */
export const canAsk = (ctx: Pick<Context, 'stdin' | 'err'>): boolean => ctx.stdin.isTTY === true && ctx.err.isTerminal

export const askYesNo = (ctx: Prompting, question: string): Promise<boolean> =>
  withPrompt(ctx, { echo: ctx.err.writeRaw, prompt: `${plainText(question)} [y/N] ` }, async ({ next }) =>
    /^y(es)?$/i.test((await next()).trim()),
  )

/** What is typed is not shown; neither when it comes with the very first letter of a label, nor when all is pasted at once. */
export const askHidden = (ctx: Prompting, labels: readonly string[]): Promise<[label: string, answer: string][]> =>
  withPrompt(ctx, { echo: () => undefined, prompt: '' }, async ({ next, hasMore }) => {
    const answers: [string, string][] = []
    for (const label of labels) {
      ctx.err.writeRaw(`${plainText(label)}: `)
      answers.push([label, await next()])
      ctx.err.writeRaw('(typed, not shown)\n')
    }
    // Half of a key, or one value in place of another, would look as if all had gone well.
    if (hasMore())
      throw UsageError('More lines were typed than asked for', 'Pipe a value of several lines in: shipway … <FILE')
    return answers
  })

type TypedLines = {
  next(): Promise<string>
  /** What came after the lines that were asked for. */
  hasMore(): boolean
}
type PromptOptions = { readonly echo: (text: string) => void; readonly prompt: string }

/** From its first line on, the terminal leaves what is typed to `echo`. */
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
  // Without a history: the key for the line before would bring a secret into the next answer.
  const lines = createInterface({ input: stdin, output, terminal: true, prompt, signal, historySize: 0 })
  const answers = lines[Symbol.asyncIterator]()
  // In this mode the terminal sends Ctrl-C, Ctrl-D and Ctrl-Z as keys.
  lines.once('SIGINT', () => lines.close())
  // Stopped, the terminal would show what is typed, and show it still where nobody can stop this program.
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
