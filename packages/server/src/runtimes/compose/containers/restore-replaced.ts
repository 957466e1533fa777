// Restores a container that was replaced by one that failed to serve, with the data of both.
//
// The failed container is removed last: while it exists, the clean-up of orphans repeats all of this.
//
// A service that cannot run twice is recreated by Compose, which removes the old container; its definition is kept until the new one serves. If
// the deployment fails before that, it is restored, in the failed step or by the cleanup. Containers with copied secrets or configs, or
// with namespaces of another container, cannot be restored from their definition and stay as they are.
import type { Command } from '../../../commands/command.ts'
import { neverRestart, removeContainer, startContainer, stopContainer } from '../../../commands/docker/containers.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { outputFolder, replacedFolder } from '../../../deployment/folders.ts'
import { earlierOf, failedReplacements } from '../../../domain/compose/orphaned-containers.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { runDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { OutputLimits } from '../../../remote/output/output-scripts.ts'
import { connectCommand, createAgain, nameOf } from './create-again.ts'
import { type Definition, definitionFile, readDefinition } from './definition.ts'
import { type KeptOutput, keepOutput } from './keep-output.ts'
import { type Container, listContainers } from './list-containers.ts'

export type EnvironmentContainers = ContainerOwner & {
  /** Of the environment. */
  readonly folder: string
  readonly keptOutput: OutputLimits
}

/** The outcome for one service. `failed` can be retried. */
export type RestoredService = { readonly outcome: 'back' | 'unknown' | 'failed'; readonly sentence: string }

/** `liveTaskId` is the newest deployment that succeeded. */
export async function restoreReplaced(
  host: Host,
  { folder, keptOutput: limits, ...owner }: EnvironmentContainers,
  liveTaskId: number | null,
): Promise<readonly RestoredService[]> {
  const tasks = { liveTaskId, activeTaskId: null }
  const containers = await listContainers(host, owner)
  const restored: RestoredService[] = []
  for (const failed of failedReplacements(containers, tasks)) {
    const [earlier] = earlierOf(failed, containers, tasks)
    const definition = await readDefinition(host, definitionFile(replacedFolder(folder), failed.service))
    const container = earlier?.id ?? (definition && nameOf(definition))
    if (container === undefined) {
      restored.push({
        outcome: 'unknown',
        sentence: `How ${failed.service} was before is not known: it stays as it is`,
      })
      continue
    }
    try {
      await restoreService(host, {
        failed,
        earlier,
        definition,
        container,
        kept: { folder: outputFolder(folder), limits },
      })
      restored.push({ outcome: 'back', sentence: `${failed.service} is back as it was before` })
    } catch (error) {
      if (!(error instanceof StepFault)) throw error
      restored.push({ outcome: 'failed', sentence: error.message })
    }
  }
  return restored
}

type Replacement = {
  readonly failed: Container
  /** The container that served, if Compose has not removed it yet; or one that an earlier attempt made. */
  readonly earlier: Container | undefined
  readonly definition: Definition | undefined
  /** Its id, or the name that it will get. */
  readonly container: string
  readonly kept: KeptOutput
}

async function restoreService(
  host: Host,
  { failed, earlier, definition, container, kept }: Replacement,
): Promise<void> {
  const run = (command: Command): Promise<void> =>
    runDocker(host, command, `${failed.service} cannot be brought back on ${host.name}`)
  if (!earlier && definition) await createAgain(host, definition, failed.service)
  // Compose may be stopping it: wait until it has.
  if (earlier && failed.status === 'created') await run(stopContainer(earlier.id))
  // Docker refuses to update a container that is restarting, so stop it first.
  await run(stopContainer(failed.id))
  // Otherwise both would start after a reboot.
  await run(neverRestart(failed.id))
  if (definition) await run(connectCommand(container, definition))
  if (definition) await run(dockerScript('take-name', container, failed.id, definition.Name))
  await run(startContainer(definition ? definition.Name : container))
  // Users can read later why it failed.
  await keepOutput(host, kept, [failed])
  // Keeps its volumes: the restored container uses them now.
  await run(removeContainer(failed.id))
}
