// This machine as a host, with a process for each command: what a test asks of scripts does not depend on how they are run.
import { gitHere, type Host, USUAL_LIMIT_MS } from '../../src/remote/host.ts'
import { runProcess } from '../../src/remote/process.ts'

export function createLocalHost(name: string, environment: Readonly<Record<string, string>> = {}): Host {
  return {
    name,
    run: (command, options) => runProcess(command, { timeoutMs: USUAL_LIMIT_MS, ...options, environment }),
    git: gitHere,
  }
}
