// What a runtime can do, one table for each fact. How it runs containers is in `packages/server/src/runtimes/`.
//
// The command line loads these tables without the contract, so they use none of its schemas. A client that is older than its platform may
// read the name of a runtime that it does not know: it finds no entry, which counts as false.

export const RUNTIMES = ['compose', 'swarm'] as const

type Fact = Readonly<Record<(typeof RUNTIMES)[number], boolean>>

/** The server is a cluster: it has nodes, and managers that stand in for each other. */
export const hasNodes: Fact = { compose: false, swarm: true }

/** Other machines pull the images of a release, so they are pushed to a registry. */
export const usesRegistry: Fact = { compose: false, swarm: true }

/** The edge leads to the ready tasks of a service, and not to one port. */
export const balancesTasks: Fact = { compose: false, swarm: true }

/** A service may have any number of equal containers. */
export const canScale: Fact = { compose: false, swarm: true }
