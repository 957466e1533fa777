// Removes an environment from a server that it was moved away from, with or without its data.
import { dockerScript } from '../../../commands/docker/script.ts'
import { emptyFolder } from '../../../commands/environment-folders.ts'
import { outputFolder } from '../../../deployment/folders.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import type { MovedEnvironment, RemovalOptions } from '../../runtime.ts'
import { listContainers } from '../containers/list-containers.ts'
import { removeEverything, retireContainers } from '../containers/remove.ts'
import { listNetworks } from '../networks/list-networks.ts'
import { removeNetworks } from '../networks/remove-networks.ts'
import { listContainerTasks } from './orphaned-containers.ts'
import { orphanedFiles } from './orphaned-files.ts'

/** `data` says what happens to its volumes. Returns a sentence for each thing that had to stay. */
export function removeMoved(
  host: Host,
  moved: MovedEnvironment,
  data: 'keep data' | RemovalOptions,
): Promise<readonly string[]> {
  return data === 'keep data' ? removeButKeepData(host, moved) : removeWithData(host, moved, data)
}

/** The folder of the environment stays, with nothing but the kept output in it: it shows that data is there. */
async function removeButKeepData(host: Host, leaving: MovedEnvironment): Promise<readonly string[]> {
  const { folder, ids } = leaving
  const isInDocker = (await listContainerTasks(host, ids.installationId)).has(ids.environmentId)
  const stayed = isInDocker ? await removeDocker(host, leaving) : []
  const more = await removeFolders(host, leaving, { isGone: false })
  await host.run(emptyFolder(folder, ids.environmentId))
  return [...stayed, ...more]
}

/** Containers first: where that fails, the folder stays, and the next clean-up finds the environment by it. */
async function removeWithData(
  host: Host,
  leaving: MovedEnvironment,
  options: RemovalOptions,
): Promise<readonly string[]> {
  await removeEverything(host, leaving.ids, options)
  return removeFolders(host, leaving, { isGone: true })
}

/** A service that is recreated in place may have data in an unnamed volume, which is deleted with its container: that is only stopped. */
async function removeDocker(
  host: Host,
  { folder, ids, taskIds, keptOutput }: MovedEnvironment,
): Promise<readonly string[]> {
  const all = await listContainers(host, ids)
  const containers = all.filter(({ task }) => taskIds.includes(task))
  const withData = containers.filter(({ mode }) => mode === 'in_place')
  if (withData.length > 0) {
    const command = dockerScript('rest-containers', ...withData.map(({ id }) => id))
    await ask(host, command, `Containers cannot be stopped on ${host.name}`)
  }
  const environment = `${folder}/environments/${ids.environmentId}`
  const retired = containers.filter((container) => !withData.includes(container))
  const notes = await retireContainers(host, { folder: outputFolder(environment), limits: keptOutput }, retired)
  const stayed = await removeNetworks(host, {
    networks: await listNetworks(host, ids),
    containers: all.filter((container) => !retired.includes(container)),
    mayGo: (release) => release === 0 || taskIds.includes(release),
  })
  const { stdout } = await host.run(dockerScript('remove-images', ids.installationId, String(ids.environmentId)))
  return [...notes, ...stayed, ...stdout.toString().split('\n').filter(Boolean)]
}

async function removeFolders(
  host: Host,
  { folder, ids: { environmentId }, taskIds }: MovedEnvironment,
  { isGone }: { readonly isGone: boolean },
): Promise<readonly string[]> {
  const orphan = { environmentId, isGone, tasks: { live: [], kept: [], over: taskIds } }
  return orphanedFiles.remove(host, { folder }, [orphan])
}
