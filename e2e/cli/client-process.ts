// The client as people start it: a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { BUILT_CLIENT, buildClient } from '../../packages/cli/build.ts'

await buildClient()
/** As it is handed out, in one file. It stays where it is, so that what Node has compiled of it is found again. */
export const SHIPWAY = BUILT_CLIENT

/** An older Node that the client supports; if it is given, every run of the client is a process of this Node. */
export const CLIENT_NODE = process.env.CLIENT_NODE

export type Environment = Readonly<Record<string, string>>
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }
export type Start = {
  readonly env?: Environment | undefined
  readonly folder?: string | undefined
  /** Standard input; empty by default. */
  readonly input?: string | Readable | undefined
  /** Both outputs are a terminal of this size; only in the process of the test. */
  readonly window?: { readonly columns: number; readonly rows: number } | undefined
}

export type ProcessRun = {
  readonly child: ChildProcess
  readonly stdout: Readable
  readonly stderr: Readable
  /** Ctrl-C. */
  interrupt(): void
  readonly ended: Promise<Ended>
}

/** The environment of every run; the settings of a test are added to it. */
export function environmentIn(home: string): Environment {
  // With the cache of the tests the client is started in a third of the time.
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return {
    PATH,
    NODE_COMPILE_CACHE,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }
}

export function startClient(words: readonly string[], { env, folder, input = '' }: Start): ProcessRun {
  const child = spawn(CLIENT_NODE ?? process.execPath, [SHIPWAY, ...words], { cwd: folder, env, stdio: 'pipe' })
  const { stdin, stdout, stderr } = child
  // A program that ends without reading closes its end.
  stdin.on('error', () => undefined)
  if (typeof input === 'string') stdin.end(input)
  else input.pipe(stdin)
  const ended = Promise.all([text(stdout), text(stderr), once(child, 'exit')])
  return {
    child,
    stdout,
    stderr,
    interrupt: () => child.kill('SIGINT'),
    ended: ended.then(([out, err, [code]]) => ({ code, out, err })),
  }
}
