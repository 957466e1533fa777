// What `shipway run` must do whichever way carries it: over ssh, and through the platform.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { SHIPWAY } from './client-process.ts'
import type { Program } from './program.ts'
import type { Screen } from './terminal.ts'

/** In a shell of the container, in a window of 80 by 24: another size, an editor, Ctrl-C. Ends the shell with 7. */
export async function workInShell(screen: Pick<Screen, 'lines' | 'shows' | 'type' | 'resize'>): Promise<void> {
  await screen.shows(/^\/ # ?$/m)
  screen.type('echo key=$KEY; stty size; tty\r')
  await screen.shows(/^key=canary-secret-in-terminal\n24 80\n\/dev\/pts\/0$/m)
  screen.resize(100, 30)
  // The window changes in two steps, and the second may come after the keys.
  const size = (): string => {
    screen.type('clear; stty size\r')
    return screen.lines().join('\n')
  }
  await expect.poll(size, { interval: 500 }).toMatch(/^30 100$/m)
  screen.type('vi note\r')
  await screen.shows(/^~$/m)
  screen.type('iwritten in vi')
  await screen.shows(/^I note/m)
  screen.type('\u001b')
  await screen.shows(/^- note/m)
  screen.type(':wq\r')
  await screen.shows(/# ?$/m)
  screen.type('clear; cat note; cat -v\r')
  await screen.shows(/^written in vi$/m)
  // Docker's own keys to leave a container are keys as all others.
  screen.type('\u0010\u0011left\r')
  await screen.shows(/^\^Pleft\n\^Pleft$/m)
  screen.type('\u0003')
  await screen.shows(/\^C\s+\/ # ?$/)
  screen.type('echo ended-$?\r')
  await screen.shows(/^ended-130$/m)
  screen.type('exit 7\r')
}

/** 30 MB, far more than all buffers on the way hold, into `cat` and out again: must print the checksum of what was sent, and the exit code of the command, 5. */
export async function pipeMuch(program: Program, run: readonly string[]): Promise<void> {
  const shell = { env: program.environment(), cwd: program.home }
  const bash = async (...words: string[]) => (await promisify(execFile)('bash', ['-c', ...words], shell)).stdout
  const much = 'seq 4000000 | head -c 30000000'
  const client = [process.execPath, SHIPWAY, ...run, '--', 'sh', '-c', 'cat; exit 5']
  const received = await bash(`${much} | "$@" 2>/dev/null | md5sum; echo "\${PIPESTATUS[2]}"`, 'bash', ...client)
  expect(received).toBe(`${await bash(`${much} | md5sum`)}5\n`)
}
