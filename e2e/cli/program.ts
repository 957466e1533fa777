// The client for what only a process shows: signals, terminals, closed pipes, programs that it starts on its own streams.
import type { ChildProcess } from 'node:child_process'
import {
  type Ended,
  type Environment,
  environmentIn,
  type ProcessRun,
  type Start,
  startClient,
} from './client-process.ts'
import { type InProcess, openInProcess } from './in-process.ts'

export type Program = {
  /** An empty folder that settings, links and credentials of this test go into. */
  readonly home: string
  /** The same client, settings and folder in the process of the test: for whatever needs no process of its own. */
  readonly inProcess: InProcess
  /** What every run has in its environment; a later setting wins. */
  environment(env?: Environment): Environment
  start(words: readonly string[], how?: Start): ProcessRun
  run(words: readonly string[], how?: Start): Promise<Ended>
  stop(): void
}

/** `settings` are such as SHIPWAY_URL. */
export function openProgram(settings: Environment): Program {
  const inProcess = openInProcess(settings)
  const { home } = inProcess
  const running = new Set<ChildProcess>()
  const environment: Program['environment'] = (env) => ({ ...environmentIn(home), ...settings, ...env })
  const start: Program['start'] = (words, { env, folder = home, input } = {}) => {
    const run = startClient(words, { env: environment(env), folder, input })
    running.add(run.child)
    run.child.once('exit', () => running.delete(run.child))
    return run
  }
  return {
    home,
    inProcess,
    environment,
    start,
    run: (words, how) => start(words, how).ended,
    stop: () => {
      for (const child of running) child.kill('SIGKILL')
      inProcess.stop()
    },
  }
}
