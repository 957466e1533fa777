// Removes containers, or everything that Docker has of an environment, from a server.
import { dockerScript } from '../../../commands/docker/script.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { composeProjectName } from '../../../domain/compose/project-name.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import type { RemovalOptions } from '../../runtime.ts'
import { removeBuildGroup } from '../images/build-limits.ts'
import { type KeptOutput, keepOutput } from './keep-output.ts'

/** Stops each within its own grace period and keeps its output. Returns a sentence for each whose output is not kept. */
export async function retireContainers(
  host: Host,
  kept: KeptOutput,
  containers: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  if (containers.length === 0) return []
  const notes = await keepOutput(host, kept, containers)
  const command = dockerScript('remove-containers', ...containers.map(({ id }) => id))
  await ask(host, command, `Containers cannot be removed from ${host.name}`)
  return notes
}

/** Containers, networks, volumes and images. */
export async function removeEverything(
  host: Host,
  owner: ContainerOwner,
  { mayLackEngine }: RemovalOptions,
): Promise<void> {
  const engine = mayLackEngine ? 'optional' : 'required'
  const words = [owner.installationId, String(owner.environmentId), composeProjectName(owner), engine]
  const command = dockerScript('remove-everything', ...words)
  await ask(host, command, `Docker on ${host.name} could not remove the environment`)
  await removeBuildGroup(host, owner)
}
