// The client as people start it: a process of its own, with settings of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { BUILT_CLIENT, buildClient } from '../../packages/cli/build.ts'

await buildClient()
/** As it is handed out, in one file. It stays where it is, so that what Node has compiled of it is found again. */
export const SHIPWAY = BUILT_CLIENT

/** The Node that runs the client: an older one that it supports, too. */
const CLIENT_NODE = process.env.CLIENT_NODE ?? process.execPath

type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

type Start = {
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly folder?: string | undefined
  /** Standard input; nothing unless told. */
  readonly input?: string | undefined
}

export type Program = {
  /** An empty folder that settings, links and credentials of this test go into. */
  readonly home: string
  /** What every run has in its environment; a later setting wins. */
  environment(env?: Readonly<Record<string, string>>): NodeJS.ProcessEnv
  start(words: readonly string[], how?: Start): Run
  run(words: readonly string[], how?: Start): Promise<Ended>
  stop(): void
}

export type Run = { readonly child: ChildProcess; readonly ended: Promise<Ended> }

/** `settings` are such as SHIPWAY_URL. */
export function openProgram(settings: Readonly<Record<string, string>>): Program {
  const home = mkdtempSync(join(tmpdir(), 'shipway-cli-'))
  const running = new Set<ChildProcess>()
  const environment: Program['environment'] = (env = {}) => {
    // With the cache of the tests it is started in a third of the time.
    const { PATH, NODE_COMPILE_CACHE } = process.env
    return {
      PATH,
      NODE_COMPILE_CACHE,
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ...settings,
      ...env,
    }
  }
  const start: Program['start'] = (words, { env, folder = home, input } = {}) => {
    const child = spawn(CLIENT_NODE, [SHIPWAY, ...words], { cwd: folder, env: environment(env), stdio: 'pipe' })
    running.add(child)
    child.once('exit', () => running.delete(child))
    // A program that ends without reading closes its end.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
    return { child, ended: endOf(child) }
  }
  return {
    home,
    environment,
    start,
    run: (words, how) => start(words, how).ended,
    stop: () => {
      for (const child of running) child.kill('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function endOf(child: ReturnType<typeof spawn>): Promise<Ended> {
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('The program has no output')
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')])
  return { code, out, err }
}
