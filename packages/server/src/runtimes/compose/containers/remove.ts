// Takes containers, or all that docker has of an environment, off a server.
import type { Recipe } from '@shipway/api/values/recipe'
import { dockerScript } from '../../../commands/docker/script.ts'
import { composeProjectName } from '../../../domain/compose/project-name.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { removeBuildGroup } from '../images/build-limits.ts'
import { type KeptOutput, keepOutput } from './keep-output.ts'
import type { ContainerOwner } from './list-containers.ts'

/** Each gets its own time to stop. What they have printed is kept; gives a sentence for each of which it is not. */
export async function retireContainers(
  host: Host,
  kept: KeptOutput,
  containers: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  if (containers.length === 0) return []
  const told = await keepOutput(host, kept, containers)
  const command = dockerScript('remove-containers', ...containers.map(({ id }) => id))
  await ask(host, command, `Containers cannot be removed from ${host.name}`)
  return told
}

/** Containers, networks, volumes and images. One that is deployed in another way may be on a server whose docker is not ours to ask. */
export async function removeEverything(host: Host, place: ContainerOwner, recipe: Recipe): Promise<void> {
  const words = [place.installationId, String(place.environmentId), composeProjectName(place), recipe]
  const command = dockerScript('remove-everything', ...words)
  await ask(host, command, `Docker on ${host.name} could not remove the environment`)
  await removeBuildGroup(host, place)
}
