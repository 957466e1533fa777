// Takes an environment off a server that it was moved away from, with its data or without.
import type { Recipe } from '@shipway/api/values/recipe'
import { dockerScript } from '../../../commands/docker/script.ts'
import { emptyFolder } from '../../../commands/environment-folders.ts'
import { outputFolder } from '../../../deployment/folders.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import type { OutputBounds } from '../../../remote/output/output-scripts.ts'
import { type ContainerOwner, listContainers } from '../containers/list-containers.ts'
import { removeEverything, retireContainers } from '../containers/remove.ts'
import { listNetworks } from '../networks/list-networks.ts'
import { removeNetworks } from '../networks/remove-networks.ts'
import { listContainerTasks } from './orphaned-containers.ts'
import { orphansOf } from './orphans.ts'

export type MovedEnvironment = {
  /** The platform's on that server. */
  readonly folder: string
  readonly ids: ContainerOwner
  /** Those that have something there. What later ones have is not touched. */
  readonly taskIds: readonly number[]
  readonly keptOutput: OutputBounds
}

/**
 * Gives a sentence for each thing that had to stay. The folder of the environment stays as well, with nothing in it but what its services
 * printed: it tells that data is there.
 */
export async function removeButKeepData(host: Host, leaving: MovedEnvironment): Promise<readonly string[]> {
  const { folder, ids } = leaving
  const isInDocker = (await listContainerTasks(host, ids.installationId)).has(ids.environmentId)
  const stayed = isInDocker ? await removeDocker(host, leaving) : []
  const more = await removeFolders(host, leaving, { isGone: false })
  await host.run(emptyFolder(folder, ids.environmentId))
  return [...stayed, ...more]
}

/** Docker first: where it fails, the folder is there to be found again. */
export async function removeWithData(
  host: Host,
  leaving: MovedEnvironment,
  recipe: Recipe,
): Promise<readonly string[]> {
  await removeEverything(host, leaving.ids, recipe)
  return removeFolders(host, leaving, { isGone: true })
}

/** What is recreated in place may have data in a volume without a name, which would go with it: it stays, and does not run. */
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
  const told = await retireContainers(host, { folder: outputFolder(environment), bounds: keptOutput }, retired)
  const stayed = await removeNetworks(host, {
    networks: await listNetworks(host, ids),
    containers: all.filter((container) => !retired.includes(container)),
    mayGo: (release) => release === 0 || taskIds.includes(release),
  })
  const { stdout } = await host.run(dockerScript('remove-images', ids.installationId, String(ids.environmentId)))
  return [...told, ...stayed, ...stdout.toString().split('\n').filter(Boolean)]
}

async function removeFolders(
  host: Host,
  { folder, ids: { environmentId }, taskIds }: MovedEnvironment,
  { isGone }: { readonly isGone: boolean },
): Promise<readonly string[]> {
  const orphan = { environmentId, isGone, tasks: { live: [], kept: [], over: taskIds } }
  const stayed: string[] = []
  for (const kind of orphansOf('manual')) stayed.push(...(await kind.remove(host, { folder }, [orphan])))
  return stayed
}
