// What one container of an environment, and its builds together, may use.
import type { ComposeLimits } from '@shipway/rules/compose/model'

const NONE: ComposeLimits = { cpus: null, memoryBytes: null, processes: null }
/** For pull requests, which anybody with access to the repository can open. */
const OF_PULL_REQUESTS: ComposeLimits = { cpus: 2, memoryBytes: 2 * 1024 ** 3, processes: 1024 }

/** What was set for the environment, and the default of its type for the rest. */
export function limitsOf(type: 'pull_request' | 'manual', own: ComposeLimits): ComposeLimits {
  const usual = type === 'pull_request' ? OF_PULL_REQUESTS : NONE
  return {
    cpus: own.cpus ?? usual.cpus,
    memoryBytes: own.memoryBytes ?? usual.memoryBytes,
    processes: own.processes ?? usual.processes,
  }
}
