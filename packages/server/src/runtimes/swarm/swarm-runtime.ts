// Several machines as a Docker Swarm, asked through one of its managers.
//
// Images are built on that manager as on one machine, and pushed to the registry that the nodes pull from. Each release has services of its
// own beside those that serve; only what cannot run twice is one service for the life of the environment, updated in place.

import { resolveCached } from '../compose/fast-path/compose-config-cache.ts'
import { limitBuilds } from '../compose/images/build-limits.ts'
import { prune } from '../compose/images/prune.ts'
import { renameImages } from '../compose/images/rename-images.ts'
import { orphanedFiles, removePaths } from '../compose/orphans/orphaned-files.ts'
import { removeFiles } from '../compose/orphans/remove-files.ts'
import type { Runtime } from '../runtime.ts'
import { commandIn, createOneOff, execInJob, findTarget, runOneOff } from './jobs/exec-in-job.ts'
import { attachHold, holdTarget, removeLostHolds, removeUnusedHolds } from './jobs/hold.ts'
import { listUpstreams } from './list-upstreams.ts'
import { collectRegistryGarbage } from './registry/clean-registry.ts'
import { serviceOrphans } from './removal/orphaned-services.ts'
import { removeEnvironment, removeMoved } from './removal/remove-environment.ts'
import { reserve } from './roll-out.ts'
import { checkScale, scale } from './scale.ts'
import { followEvents } from './services/follow-events.ts'
import { inspectServices } from './services/inspect-services.ts'
import { readSwarmStats } from './stats/read-swarm-stats.ts'

export const swarmRuntime: Runtime = {
  name: 'swarm',
  // Tasks publish on ports that the Swarm chooses.
  findUsedPorts: async () => ({ sockets: new Map(), own: new Set(), inUse: new Set() }),
  reserve,
  resolveConfig: resolveCached,
  checkModel: async () => undefined,
  limitBuilds,
  // Docker makes them with the first service that is in them.
  makeNetworks: async () => [],
  findTarget,
  exec: execInJob,
  commandIn,
  holdTarget,
  createOneOff,
  attachOneOff: attachHold,
  removeUnusedOneOffs: removeUnusedHolds,
  removeLostOneOffs: removeLostHolds,
  runOneOff,
  remove: removeEnvironment,
  removeMoved,
  removeFiles,
  removePaths,
  orphans: { files: orphanedFiles, containers: serviceOrphans },
  freeDisk: async (host, options) => {
    await prune(host, options)
    await collectRegistryGarbage(host, options)
  },
  renameImages,
  inspectServices,
  checkScale,
  scale,
  // The machine is the manager in use. The containers are those of all nodes.
  stats: readSwarmStats,
  followEvents,
  listUpstreams,
}
