// Puts a container that served back into the place of one that did not come to serve, with the data of both.
//
// The failed one goes last: as long as it is there, whoever looks for orphans does all of this again.
import type { Command } from '../../../commands/command.ts'
import { neverRestart, removeContainer, startContainer, stopContainer } from '../../../commands/docker/containers.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { outputFolder, replacedFolder } from '../../../deployment/folders.ts'
import { earlierOf, failedReplacements } from '../../../domain/compose/orphaned-containers.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import { tellDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { OutputBounds } from '../../../remote/output/output-scripts.ts'
import { connectCommand, createAgain, nameOf } from './create-again.ts'
import { type Definition, definitionFile, readDefinition } from './definition.ts'
import { type KeptOutput, keepOutput } from './keep-output.ts'
import { type Container, listContainers } from './list-containers.ts'

export type OfEnvironment = ContainerOwner & {
  /** Of the environment. */
  readonly folder: string
  readonly keptOutput: OutputBounds
}

/** What is said of each: that it is back, or why it stays as it is. What failed can be tried again. */
export type BroughtBack = { readonly outcome: 'back' | 'unknown' | 'failed'; readonly sentence: string }

/** `liveTaskId` is the newest deployment that succeeded. */
export async function bringAllBack(
  host: Host,
  { folder, keptOutput: bounds, ...place }: OfEnvironment,
  liveTaskId: number | null,
): Promise<readonly BroughtBack[]> {
  const tasks = { liveTaskId, activeTaskId: null }
  const containers = await listContainers(host, place)
  const told: BroughtBack[] = []
  for (const failed of failedReplacements(containers, tasks)) {
    const [earlier] = earlierOf(failed, containers, tasks)
    const definition = await readDefinition(host, definitionFile(replacedFolder(folder), failed.service))
    const container = earlier?.id ?? (definition && nameOf(definition))
    if (container === undefined) {
      told.push({ outcome: 'unknown', sentence: `How ${failed.service} was before is not known: it stays as it is` })
      continue
    }
    try {
      await bringBack(host, { failed, earlier, definition, container, kept: { folder: outputFolder(folder), bounds } })
      told.push({ outcome: 'back', sentence: `${failed.service} is back as it was before` })
    } catch (error) {
      if (!(error instanceof StepFault)) throw error
      told.push({ outcome: 'failed', sentence: error.message })
    }
  }
  return told
}

type Replaced = {
  readonly failed: Container
  /** The one that served, where Compose has not removed it yet; or a new one of an earlier try. */
  readonly earlier: Container | undefined
  readonly definition: Definition | undefined
  /** Its id, or the name that it gets. */
  readonly container: string
  readonly kept: KeptOutput
}

async function bringBack(host: Host, { failed, earlier, definition, container, kept }: Replaced): Promise<void> {
  const run = (command: Command): Promise<void> =>
    tellDocker(host, command, `${failed.service} cannot be brought back on ${host.name}`)
  if (!earlier && definition) await createAgain(host, definition, failed.service)
  // Compose may be about to stop it: this waits until it has.
  if (earlier && failed.status === 'created') await run(stopContainer(earlier.id))
  // Docker refuses to update one that is about to be restarted, so it stops first.
  await run(stopContainer(failed.id))
  // Together they would start again with the machine.
  await run(neverRestart(failed.id))
  if (definition) await run(connectCommand(container, definition))
  if (definition) await run(dockerScript('take-name', container, failed.id, definition.Name))
  await run(startContainer(definition ? definition.Name : container))
  // Why it failed can be read later.
  await keepOutput(host, kept, [failed])
  // Without its volumes, which are the other's now.
  await run(removeContainer(failed.id))
}
