// Removes versions of an environment that do not serve: those of failed deployments, and the old one after the switch.
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { StepIo } from '../../../deployment/run.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { leftServices } from '../../../domain/swarm/serving-services.ts'
import type { SwarmService } from '../../../domain/swarm/swarm-view.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { keepTasks } from '../../../remote/output/output-scripts.ts'
import { type KeptOutput, keepPrinted } from '../../compose/containers/keep-output.ts'
import { listSwarm } from '../view/list-swarm.ts'
import { restoreReplaced } from './restore-replaced.ts'

/** Before a new version is planned. Returns a sentence for each thing that was done or stays. */
export async function removeFailed(
  { host }: Pick<StepIo, 'host'>,
  { ids, taskId, servingTaskId }: Deployment,
  kept: KeptOutput,
): Promise<readonly string[]> {
  const restored = await restoreReplaced(host, ids, servingTaskId)
  const { services } = await listSwarm(host, ids)
  const failed = leftServices(services, servingTaskId).filter(({ task }) => task !== taskId)
  return [...restored, ...(await retireServices(host, kept, failed))]
}

/** Keeps their output first. Returns a sentence for each whose output is not kept. */
export async function retireServices(
  host: Host,
  kept: KeptOutput,
  services: readonly Pick<SwarmService, 'id'>[],
): Promise<readonly string[]> {
  const ids = services.map(({ id }) => id)
  const notes = await keepPrinted(host, keepTasks(kept.folder, kept.limits, ids))
  await removeServices(host, services)
  return notes
}

export async function removeServices(host: Host, services: readonly Pick<SwarmService, 'id'>[]): Promise<void> {
  if (services.length === 0) return
  const command = dockerScript('remove-services', ...services.map(({ id }) => id))
  await ask(host, { command, timeoutMs: REMOVE_MS }, `Services cannot be removed from ${host.name}`)
}

const REMOVE_MS = 5 * 60_000

type PartsToKeep = {
  /** Where it is optional, the machine may be no manager of a Swarm. */
  readonly engine: 'required' | 'optional'
  readonly keptTaskIds: readonly number[]
}

/**
 * Networks, secrets and configs that no service of the environment uses. Networks of these tasks stay, and those that all releases share; so do
 * secrets and configs that an update may still go back to, and young ones. Without any task all go. Returns a sentence for each network that had
 * to stay.
 */
export async function removeUnusedParts(
  host: Host,
  { installationId, environmentId }: ContainerOwner,
  { engine, keptTaskIds }: PartsToKeep,
): Promise<readonly string[]> {
  const words = [installationId, String(environmentId), engine, ...keptTaskIds.map(String)]
  const command = dockerScript('remove-stack-parts', ...words)
  const printed = await ask(host, { command, timeoutMs: REMOVE_MS }, `Networks cannot be removed from ${host.name}`)
  return printed.split('\n').filter(Boolean)
}
