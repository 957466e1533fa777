// Replaces a container that cannot run twice. Stores the definition of the old one until the new one serves.
import { recreate } from '../../../commands/docker/compose.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import type { StepIo } from '../../../deployment/run.ts'
import type { RuntimeContext } from '../../runtime-context.ts'
import type { TakenPort } from '../ports/allocate-slots.ts'
import type { ServiceStart } from '../service-start.ts'
import type { Runnable } from '../write-runnable.ts'
import { composeUp } from './compose-up.ts'
import { definitionFile, keepDefinition } from './definition.ts'
import { followOutput } from './keep-output.ts'
import { listContainers } from './list-containers.ts'

type ServiceToRecreate = {
  readonly deployment: Deployment
  readonly service: ServiceStart
  readonly runnable: Runnable
  readonly folders: Pick<Folders, 'replaced' | 'output'>
  readonly folder: string
  readonly isLastTry: boolean
}

export async function recreateService(
  io: StepIo,
  context: Pick<RuntimeContext, 'allocateSlots'>,
  { deployment, service, runnable, folders, folder, isLastTry }: ServiceToRecreate,
): Promise<readonly TakenPort[]> {
  const { ids, servingTaskId } = deployment
  const { name, whyInPlace, isWholeByDefinition } = service
  io.say(`${name} cannot run twice (${whyInPlace}): it is away until its new container has started`)
  const containers = await listContainers(io.host, ids)
  const serving = containers.find(
    (container) =>
      container.service === name && container.task <= (servingTaskId ?? 0) && container.status !== 'created',
  )
  if (serving && isWholeByDefinition) await keepDefinition(io.host, serving.id, definitionFile(folders.replaced, name))
  const kept = { folder: folders.output, limits: deployment.keptOutput }
  if (serving) for (const line of await followOutput(io.host, kept, serving.id)) io.say(line)
  const run = runnable.guarded(recreate(runnable.project, name))
  return composeUp(io, context, { ids, services: [service], run, folder, isLastTry })
}
