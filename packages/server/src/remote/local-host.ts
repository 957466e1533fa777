// The machine that the platform itself runs on, as a host.
import type { Host } from './host.ts'
import { runProcess } from './process.ts'

export function createLocalHost(name: string): Host {
  return {
    name,
    run: (command, options) => runProcess(command, options),
    git: { address: (path) => path, environment: {} },
  }
}
