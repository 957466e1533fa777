// Questions to the person at the terminal. They are asked on standard error, so that results can go into a pipe.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Interrupted } from '../command-error.ts'
import type { Context } from '../context.ts'
import { plainText } from './neutralize.ts'

type Asked = Pick<Context, 'stdin' | 'err' | 'signal'>

/** Whether there is somebody to answer. */
export const canAsk = (ctx: Pick<Context, 'stdin' | 'err'>): boolean => ctx.stdin.isTTY === true && ctx.err.isTerminal

export async function askYesNo(ctx: Asked, question: string): Promise<boolean> {
  const answer = await ask(ctx, `${plainText(question)} [y/N] `, (text) => ctx.err.pass(text))
  return /^y(es)?$/i.test(answer.trim())
}

/** What is typed is not shown. */
export async function askHidden(ctx: Asked, label: string): Promise<string> {
  ctx.err.pass(`${plainText(label)}: `)
  const answer = await ask(ctx, '', () => undefined)
  ctx.err.pass('(typed, not shown)\n')
  return answer
}

async function ask({ stdin, signal }: Asked, question: string, echo: (text: string) => void): Promise<string> {
  const output = new Writable({
    write: (piece, _encoding, done) => {
      echo(String(piece))
      done()
    },
  })
  const lines = createInterface({ input: stdin, output, terminal: true })
  const left = new AbortController()
  // In this mode the terminal sends Ctrl-C and Ctrl-D as keys.
  lines.once('SIGINT', () => left.abort())
  lines.once('close', () => left.abort())
  try {
    return await lines.question(question, { signal: AbortSignal.any([signal, left.signal]) })
  } catch (error) {
    throw left.signal.aborted || signal.aborted ? Interrupted('Interrupted') : error
  } finally {
    lines.close()
  }
}
