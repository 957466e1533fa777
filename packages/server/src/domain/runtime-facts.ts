// What the records and checks of the platform need to know of a runtime. How it runs containers is in `runtimes/`.
import type { RuntimeName } from '@shipway/api/values/runtime'

type RuntimeFacts = {
  /** The server is a cluster: it has nodes, and managers that stand in for each other. */
  readonly hasManagers: boolean
  /** Other machines pull the images of a release, so they are pushed to a registry. */
  readonly usesRegistry: boolean
  /** The edge leads to the ready tasks of a service, and not to one port. */
  readonly balancesTasks: boolean
  /** A service may have any number of equal tasks. */
  readonly canScale: boolean
}

export const RUNTIME_FACTS: Readonly<Record<RuntimeName, RuntimeFacts>> = {
  compose: { hasManagers: false, usesRegistry: false, balancesTasks: false, canScale: false },
  swarm: { hasManagers: true, usesRegistry: true, balancesTasks: true, canScale: true },
}
