// The machine that the platform itself runs on, as a host.
import { type Host, USUAL_LIMIT_MS } from './host.ts'
import { runProcess } from './process.ts'

export function createLocalHost(name: string, environment: Readonly<Record<string, string>> = {}): Host {
  return {
    name,
    run: (command, options) => runProcess(command, { timeoutMs: USUAL_LIMIT_MS, ...options, environment }),
    git: { address: (path) => path, environment: {} },
  }
}
