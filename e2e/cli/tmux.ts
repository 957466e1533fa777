// A shell in a real tmux, with a server of its own: what a person types there, and what the pane shows.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOnThePath } from '../../tools/real-parts/programs.ts'
import { comesTrue } from '../journey.ts'
import { SHIPWAY } from './client-process.ts'
import type { Program } from './program.ts'
import { type Screen, waitForLines } from './terminal.ts'

export const hasTmux = isOnThePath('tmux') && isOnThePath('setpriv')

export type Tmux = Pick<Screen, 'lines' | 'shows' | 'type' | 'resize'> & { stop(): Promise<void> }

/** The shell finds the client as the command `shipway`. */
export async function openTmux(program: Program, { columns, rows }: { columns: number; rows: number }): Promise<Tmux> {
  const environment = environmentOf(program)
  // Neither the sockets nor the configuration of the machine's user.
  const own = ['-f', '/dev/null', '-L', 'shipway-test']
  // Not as a daemon, so that it ends with the tests.
  const server = spawn('setpriv', ['--pdeathsig=KILL', '--', 'tmux', ...own, '-D'], {
    env: environment,
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  const options = { env: environment, cwd: program.home, encoding: 'utf8' } as const
  const tmux = (...words: string[]): string => execFileSync('tmux', [...own, '-N', ...words], options)
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM')
    await ended
  }
  const opening = [...own, '-N', 'new-session', '-d', '-x', String(columns), '-y', String(rows), 'sh']
  if (!(await comesTrue(async () => spawnSync('tmux', opening, options).status === 0))) {
    await stop()
    throw new Error('tmux did not start')
  }
  const lines = (): string[] => tmux('capture-pane', '-p').trimEnd().split('\n')
  return {
    lines,
    shows: (pattern) => waitForLines(lines, (shown) => pattern.test(shown.join('\n')), String(pattern)),
    type: (keys) => {
      tmux('send-keys', '-H', ...[...Buffer.from(keys)].map((byte) => byte.toString(16)))
    },
    resize: (width, height) => {
      tmux('resize-window', '-x', String(width), '-y', String(height))
    },
    stop,
  }
}

function environmentOf(program: Program): Readonly<Record<string, string>> {
  const folder = join(program.home, 'bin')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'shipway')
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${SHIPWAY}' "$@"\n`)
  chmodSync(file, 0o755)
  const { PATH, ...others } = program.environment()
  return { ...others, PATH: `${folder}:${PATH}`, TMUX_TMPDIR: program.home }
}
