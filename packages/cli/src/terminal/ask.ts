// Questions to the person at the terminal. They are asked on standard error, so that results can go into a pipe.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Interrupted, UsageFault } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from './neutralize.ts'

type Asked = {
  readonly stdin: NodeJS.ReadableStream
  readonly err: Pick<Context['err'], 'pass'>
  readonly signal: AbortSignal
}

/** Whether there is somebody to answer. */
export const canAsk = (ctx: Pick<Context, 'stdin' | 'err'>): boolean => ctx.stdin.isTTY === true && ctx.err.isTerminal

export const askYesNo = (ctx: Asked, question: string): Promise<boolean> =>
  reading(ctx, { echo: ctx.err.pass, prompt: `${plainText(question)} [y/N] ` }, async ({ next }) =>
    /^y(es)?$/i.test((await next()).trim()),
  )

/** What is typed is not shown; neither when it comes with the very first letter of a label, nor when all is pasted at once. */
export const askHidden = (ctx: Asked, labels: readonly string[]): Promise<[label: string, answer: string][]> =>
  reading(ctx, { echo: () => undefined, prompt: '' }, async ({ next, hasMore }) => {
    const answers: [string, string][] = []
    for (const label of labels) {
      ctx.err.pass(`${plainText(label)}: `)
      answers.push([label, await next()])
      ctx.err.pass('(typed, not shown)\n')
    }
    // Half of a key, or one value in place of another, would look as if all had gone well.
    if (hasMore())
      throw UsageFault('More lines were typed than asked for', 'Pipe a value of several lines in: shipway … <FILE')
    return answers
  })

type Typed = {
  next(): Promise<string>
  /** What came after the lines that were asked for. */
  hasMore(): boolean
}
type Shown = { readonly echo: (text: string) => void; readonly prompt: string }

/** From its first line on, the terminal leaves what is typed to `echo`. */
async function reading<Result>(
  { stdin, signal }: Asked,
  { echo, prompt }: Shown,
  work: (typed: Typed) => Promise<Result>,
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
