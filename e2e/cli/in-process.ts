// The client in the process of the test: the same arguments, environment, output and exit code as its program, without starting one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { readConfig } from '../../packages/cli/src/config.ts'
import { runCommandLine } from '../../packages/cli/src/run-command-line.ts'
import {
  CLIENT_NODE,
  type Ended,
  type Environment,
  environmentIn,
  type ProcessRun,
  type Start,
  startClient,
} from './client-process.ts'

export type InProcess = {
  /** An empty folder: the working folder, and that of settings, links and credentials. */
  readonly home: string
  start(words: readonly string[], how?: Start): InProcessRun
  run(words: readonly string[], how?: Start): Promise<Ended>
  /** The result of a command that succeeds. */
  json(...words: string[]): Promise<ReturnType<typeof JSON.parse>>
  stop(): void
}

export type InProcessRun = Omit<ProcessRun, 'child'>

/** `settings` are such as SHIPWAY_URL. */
export function openInProcess(settings: Environment): InProcess {
  const home = mkdtempSync(join(tmpdir(), 'shipway-cli-'))
  const start: InProcess['start'] = (words, { env, folder = home, input, window } = {}) => {
    const how = { env: { ...environmentIn(home), ...settings, ...env }, folder, input, window }
    return CLIENT_NODE === undefined ? startHere(words, how) : startClient(words, how)
  }
  const run: InProcess['run'] = (words, how) => start(words, how).ended
  return {
    home,
    start,
    run,
    json: async (...words) => {
      const { code, out, err } = await run([...words, '--json'])
      if (code !== 0) throw new Error(`shipway ${words.join(' ')} ended with ${code}: ${err}`)
      return JSON.parse(out)
    },
    stop: () => rmSync(home, { recursive: true, force: true }),
  }
}

type StartHere = Pick<Start, 'input' | 'window'> & { readonly env: Environment; readonly folder: string }

function startHere(words: readonly string[], { env, folder, input = '', window }: StartHere): InProcessRun {
  const stdout = record()
  // On a terminal both are the same.
  const stderr = window ? stdout : record()
  if (window) Object.assign(stdout.stream, { isTTY: true, ...window })
  const interrupt = new AbortController()
  const stdin = typeof input === 'string' ? Readable.from([Buffer.from(input)]) : input
  const code = runCommandLine(words, {
    config: readConfig(env),
    folder,
    // Commands read no more of a stream than this.
    stdin: () => Object.assign(stdin, { isTTY: false }) as unknown as NodeJS.ReadStream,
    stdout: stdout.stream as unknown as NodeJS.WriteStream,
    stderr: stderr.stream as unknown as NodeJS.WriteStream,
    listenForInterrupt: () => interrupt.signal,
  })
  return {
    stdout: stdout.stream,
    stderr: stderr.stream,
    interrupt: () => interrupt.abort(),
    ended: code.then(async (ending) => ({
      code: ending,
      out: await stdout.end(),
      err: window ? '' : await stderr.end(),
    })),
  }
}

function record(): { readonly stream: PassThrough; end(): Promise<string> } {
  const pieces: Buffer[] = []
  const stream = new PassThrough()
  stream.on('data', (piece: Buffer | string) => pieces.push(Buffer.from(piece)))
  const isRead = new Promise<void>((resolve) => stream.once('end', resolve))
  return {
    stream,
    end: async () => {
      stream.end()
      await isRead
      return Buffer.concat(pieces).toString()
    },
  }
}
