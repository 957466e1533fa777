// One machine with Docker Compose and the Engine API.
import { followEvents } from '../../commands/docker/engine.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import type { Runtime } from '../runtime.ts'
import { removeEverything } from './containers/remove.ts'
import { commandIn, execInContainer } from './exec/exec-in-container.ts'
import { findContainer } from './exec/find-container.ts'
import { resolveCached } from './fast-path/compose-config-cache.ts'
import { limitBuilds } from './images/build-limits.ts'
import { prune } from './images/prune.ts'
import { renameImages } from './images/rename-images.ts'
import { checkIpv6Networks } from './networks/check-ipv6-networks.ts'
import { makeNetworks } from './networks/make-networks.ts'
import { attachOneOff } from './one-off/attach-one-off.ts'
import { createOneOff } from './one-off/create-one-off.ts'
import { removeLostOneOffs, removeUnusedOneOffs } from './one-off/remove-one-offs.ts'
import { runOneOff } from './one-off/run-one-off.ts'
import { removeMoved } from './orphans/clean-up-moved.ts'
import { containerOrphans } from './orphans/orphaned-containers.ts'
import { orphanedFiles, removePaths } from './orphans/orphaned-files.ts'
import { removeFiles } from './orphans/remove-files.ts'
import { checkPublishedPorts } from './ports/check-published-ports.ts'
import { findUsedPorts } from './ports/used-ports.ts'
import { reserve } from './roll-out.ts'
import { inspectServices } from './services/inspect-services.ts'
import { readStats } from './stats/read-stats.ts'

export const composeRuntime: Runtime = {
  name: 'compose',
  findUsedPorts,
  reserve,
  resolveConfig: resolveCached,
  checkModel: async (host, context, { model, deployment }) => {
    await checkIpv6Networks(host, model, deployment)
    await checkPublishedPorts(host, context, { model, ids: deployment.ids })
  },
  limitBuilds,
  makeNetworks,
  findTarget: findContainer,
  exec: execInContainer,
  commandIn,
  holdTarget: null,
  createOneOff,
  attachOneOff,
  removeUnusedOneOffs,
  removeLostOneOffs,
  runOneOff,
  remove: async (host, owner, options) => {
    await removeEverything(host, owner, options)
    return []
  },
  removeMoved,
  removeFiles,
  removePaths,
  orphans: { files: orphanedFiles, containers: containerOrphans },
  freeDisk: prune,
  renameImages,
  inspectServices,
  checkScale: refuseScale,
  scale: refuseScale,
  stats: (host, request) => readStats(host, request),
  followEvents: async (host, installationId, options) => {
    await host.run(followEvents(installationId), options)
  },
  listUpstreams: null,
}

async function refuseScale(): Promise<never> {
  throw CheckFailed('The services of one machine are scaled by deploy.replicas in the compose file')
}
