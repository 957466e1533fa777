// The client in the process of the test: the same arguments, output and exit code as its program, without starting one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { Config } from '../../packages/cli/src/config.ts'
import { runCommandLine } from '../../packages/cli/src/run-command-line.ts'

type Ended = { readonly code: number; readonly out: string; readonly err: string }

export type InProcess = {
  /** An empty folder: the working folder, and that of settings. */
  readonly home: string
  run(words: readonly string[], how?: { readonly input?: string; readonly folder?: string }): Promise<Ended>
  /** The result of a command that succeeds. */
  json(...words: string[]): Promise<ReturnType<typeof JSON.parse>>
  stop(): void
}

export function openInProcess(settings: Pick<Config, 'url' | 'token'>): InProcess {
  const home = mkdtempSync(join(tmpdir(), 'shipway-cli-'))
  const config: Config = {
    ...settings,
    organization: undefined,
    credentialsFile: join(home, 'config', 'shipway', 'credentials.json'),
    isColorWanted: false,
    isDumbTerminal: false,
    isUtf8: true,
    hasDesktop: false,
  }
  const run: InProcess['run'] = async (words, { input = '', folder = home } = {}) => {
    const [stdout, stderr] = [recorded(), recorded()]
    const code = await runCommandLine(words, {
      config,
      folder,
      stdin: () => Object.assign(Readable.from([input]), { isTTY: false }) as unknown as NodeJS.ReadStream,
      stdout: stdout.stream,
      stderr: stderr.stream,
      listenForInterrupt: () => new AbortController().signal,
    })
    return { code, out: stdout.text(), err: stderr.text() }
  }
  return {
    home,
    run,
    json: async (...words) => {
      const { code, out, err } = await run([...words, '--json'])
      if (code !== 0) throw new Error(`shipway ${words.join(' ')} ended with ${code}: ${err}`)
      return JSON.parse(out)
    },
    stop: () => rmSync(home, { recursive: true, force: true }),
  }
}

function recorded(): { readonly stream: NodeJS.WriteStream; text(): string } {
  const pieces: Buffer[] = []
  const stream = new Writable({
    write: (piece, _encoding, done) => {
      pieces.push(Buffer.from(piece))
      done()
    },
  })
  // A pipe: commands read no more of a stream than this.
  return { stream: stream as NodeJS.WriteStream, text: () => Buffer.concat(pieces).toString() }
}
