// The client on a terminal: a pseudo-terminal from util-linux, and a screen that is read back as a person sees it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Terminal } from '@xterm/headless'
import { until } from '../journey.ts'
import { CLIENT_NODE, SHIPWAY } from './client-process.ts'
import type { Program } from './program.ts'

export type Screen = {
  /** The lines of the window, without the empty ones at its end. */
  lines(): string[]
  /** Everything that was sent to the terminal, as it was sent. */
  sent(): string
  shows(pattern: RegExp): Promise<string>
  becomes(isRight: (lines: string[]) => boolean, what: string): Promise<string>
  type(keys: string): void
  resize(columns: number, rows: number): void
  readonly ended: Promise<number | null>
  stop(): void
}

type Window = {
  readonly columns: number
  readonly rows: number
  readonly env?: Readonly<Record<string, string>>
  readonly folder?: string
}

export function openTerminal(
  program: Program,
  words: readonly string[],
  { columns, rows, env, folder = program.home }: Window,
): Screen {
  const ttyFile = join(program.home, `tty-${counter++}`)
  const quoted = [process.execPath, SHIPWAY, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const line = `tty > '${ttyFile}'; stty cols ${columns} rows ${rows}; exec ${quoted}`
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
    cwd: folder,
    env: { ...program.environment(env), SHELL: '/bin/sh' },
    stdio: 'pipe',
  })
  const screen = new Terminal({ cols: columns, rows, allowProposedApi: true })
  let sent = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    sent += piece
    screen.write(piece)
  })
  child.stdin.on('error', () => undefined)
  const lines = () => linesOf(screen)
  return {
    lines,
    sent: () => sent,
    becomes: (isRight, what) => waitForLines(lines, isRight, what),
    shows: (pattern) => waitForLines(lines, (shown) => pattern.test(shown.join('\n')), String(pattern)),
    type: (keys) => child.stdin.write(keys),
    resize: (width, height) => {
      screen.resize(width, height)
      const tty = existsSync(ttyFile) ? readFileSync(ttyFile, 'utf8').trim() : ''
      execFileSync('stty', ['-F', tty, 'cols', String(width), 'rows', String(height)])
    },
    ended: endOf(child, screen),
    stop: () => {
      child.kill('SIGKILL')
      screen.dispose()
    },
  }
}

/** Without a pseudo-terminal, for what is drawn alone: neither keys nor another size of the window reach the client. */
export function openDrawing(
  program: Program,
  words: readonly string[],
  window: Omit<Window, 'folder'>,
): Pick<Screen, 'lines' | 'sent' | 'shows' | 'ended' | 'stop'> {
  if (CLIENT_NODE !== undefined) return openTerminal(program, words, window)
  const { columns, rows, env } = window
  const screen = new Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true })
  const { stdout, interrupt, ended } = program.inProcess.start(words, { env, window: { columns, rows } })
  let sent = ''
  stdout.setEncoding('utf8').on('data', (piece: string) => {
    sent += piece
    screen.write(piece)
  })
  const lines = () => linesOf(screen)
  return {
    lines,
    sent: () => sent,
    shows: (pattern) => waitForLines(lines, (shown) => pattern.test(shown.join('\n')), String(pattern)),
    ended: ended.then(async ({ code }) => {
      await new Promise<void>((resolve) => screen.write('', resolve))
      return code
    }),
    stop: () => {
      interrupt()
      screen.dispose()
    },
  }
}

let counter = 0

/** When all that was sent stands on the screen. */
async function endOf(child: ChildProcess, screen: Terminal): Promise<number | null> {
  const [code] = await once(child, 'close')
  await new Promise<void>((resolve) => screen.write('', resolve))
  return code
}

/** Waits for it, and tells what stood there instead. */
export async function waitForLines(
  lines: () => string[],
  isRight: (lines: string[]) => boolean,
  what: string,
): Promise<string> {
  try {
    return await until(async () => (isRight(lines()) ? lines().join('\n') : undefined), what)
  } catch (cause) {
    throw new Error(`The screen does not show ${what}, but:\n${lines().join('\n')}`, { cause })
  }
}

function linesOf(screen: Terminal): string[] {
  const { active } = screen.buffer
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
  const last = lines.findLastIndex((line) => line !== '')
  return lines.slice(0, last + 1)
}
