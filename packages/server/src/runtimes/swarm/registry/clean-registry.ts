// Removes from the registry of a manager what no environment needs. A registry that the organization named is its own to clean up.
import { type Registry, repositoryPrefix } from '../../../deployment/registry.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { registryFolder, registryScript } from './registry-script.ts'

type EnvironmentOwner = { readonly installationId: string; readonly environmentId: number }

type NeededImages = EnvironmentOwner & {
  /** The serving task, and those that a rollback may go back to. */
  readonly taskIds: readonly number[]
}

/** Keeps the images of some tasks, and those that services of the Swarm run by now. Call it after a switch. */
export async function removeUnusedImages(host: Host, registry: Registry, needed: NeededImages): Promise<void> {
  if (registry.type === 'named') return
  const { installationId, environmentId, taskIds } = needed
  const owner = [registryFolder(installationId), registry.repository, installationId, String(environmentId)]
  const command = registryScript('tidy-repository', ...owner, ...taskIds.map(String))
  await ask(host, command, `The registry of ${host.name} could not be cleaned up`)
}

/** Removes whatever the registry has of an environment. Its tokens open nothing from then on. */
export async function removeRepository(host: Host, { installationId, environmentId }: EnvironmentOwner): Promise<void> {
  const words = [registryFolder(installationId), repositoryPrefix(installationId), String(environmentId)]
  await ask(
    host,
    registryScript('remove-repositories', ...words),
    `The images of the environment could not be removed from the registry of ${host.name}`,
  )
}

type GarbageOptions = {
  readonly installationId: string
  /** Of these environments, those that are gone for good. */
  readonly goneOf: (environmentIds: readonly number[]) => Promise<readonly number[]>
}

/** Frees the disk: removes what deleted environments have left, and the parts that no image needs. */
export async function collectRegistryGarbage(host: Host, { installationId, goneOf }: GarbageOptions): Promise<void> {
  const fault = `The registry of ${host.name} could not free its disk`
  const listed = await ask(host, registryScript('list-repositories', registryFolder(installationId)), fault)
  for (const environmentId of await goneOf(environmentsOf(listed, installationId))) {
    await removeRepository(host, { installationId, environmentId })
  }
  await ask(host, registryScript('collect-garbage', registryFolder(installationId)), fault)
}

function environmentsOf(listed: string, installationId: string): readonly number[] {
  const prefix = repositoryPrefix(installationId)
  const ids = listed.split('\n').flatMap((name) => {
    const id = name.startsWith(prefix) ? /^(\d{1,15})-/.exec(name.slice(prefix.length))?.[1] : undefined
    return id === undefined ? [] : [Number(id)]
  })
  return [...new Set(ids)]
}
