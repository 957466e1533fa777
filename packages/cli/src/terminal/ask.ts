// Questions to the person at the terminal. They are asked on standard error, so that results can go into a pipe.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Interrupted } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from './neutralize.ts'

type Asked = Pick<Context, 'stdin' | 'err' | 'signal'>

/** Whether there is somebody to answer. */
export const canAsk = (ctx: Pick<Context, 'stdin' | 'err'>): boolean => ctx.stdin.isTTY === true && ctx.err.isTerminal

export const askYesNo = (ctx: Asked, question: string): Promise<boolean> =>
  reading(ctx, { echo: ctx.err.pass, prompt: `${plainText(question)} [y/N] ` }, async (answer) =>
    /^y(es)?$/i.test((await answer()).trim()),
  )

/** What is typed is not shown; neither when it comes with the very first letter of a label, nor when all is pasted at once. */
export const askHidden = (ctx: Asked, labels: readonly string[]): Promise<[label: string, answer: string][]> =>
  reading(ctx, { echo: () => undefined, prompt: '' }, async (answer) => {
    const answers: [string, string][] = []
    for (const label of labels) {
      ctx.err.pass(`${plainText(label)}: `)
      answers.push([label, await answer()])
      ctx.err.pass('(typed, not shown)\n')
    }
    return answers
  })

type Shown = { readonly echo: (text: string) => void; readonly prompt: string }

/** From its first line on, the terminal leaves what is typed to `echo`. */
async function reading<Result>(
  { stdin, signal }: Asked,
  { echo, prompt }: Shown,
  work: (answer: () => Promise<string>) => Promise<Result>,
): Promise<Result> {
  const output = new Writable({
    write: (piece, _encoding, done) => {
      echo(String(piece))
      done()
    },
  })
  const lines = createInterface({ input: stdin, output, terminal: true, prompt, signal })
  const answers = lines[Symbol.asyncIterator]()
  // In this mode the terminal sends Ctrl-C and Ctrl-D as keys.
  lines.once('SIGINT', () => lines.close())
  try {
    lines.prompt()
    return await work(async () => {
      const { value, done } = await answers.next()
      if (done) throw Interrupted('Interrupted')
      return value
    })
  } finally {
    lines.close()
  }
}
