// A deployment on a Swarm: pushes the images, starts new services beside the old ones, lets the edges balance over them, and removes the
// old ones after the switch.
import { DURABLE } from '../../deployment/release.ts'
import { routesOf } from '../../deployment/routes.ts'
import type { DoStep } from '../../deployment/run.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import { leftOutSentence } from '../../edge/unreachable-manager.ts'
import { imageNames } from '../compose/images/find-images.ts'
import type { NewVersion, Reservation, ReservationRequest, RunningVersion, VersionSteps } from '../runtime.ts'
import type { RuntimeContext, SlotPort } from '../runtime-context.ts'
import { pushImages } from './registry/push-images.ts'
import { drainOldVersion, removeOldVersion } from './removal/clean-up.ts'
import { planStart } from './start/plan.ts'
import { startServices } from './start/start.ts'

export async function reserve(
  prepare: DoStep,
  context: RuntimeContext,
  request: ReservationRequest,
): Promise<Reservation> {
  // Nothing listens on them: they name groups of tasks.
  const nothing = { inUse: new Set<number>(), foreign: new Set<number>() }
  const names = request.services.map(({ service }) => service.name)
  const slots = await prepare({ key: 'Allot ports', name: 'Allocate balance groups' }, () =>
    context.allocateSlots(names, { slots: ['a', 'b'], ...nothing }),
  )
  return { start: (steps, version) => startVersion(steps, context, { ...request, ...version, slots }) }
}

type VersionToStart = ReservationRequest & NewVersion & { readonly slots: readonly SlotPort[] }

async function startVersion(
  steps: VersionSteps,
  context: RuntimeContext,
  starting: VersionToStart,
): Promise<RunningVersion> {
  const { deployment, folders, services, commands, release } = starting
  const { registry } = context
  if (registry === null) throw CheckFailed('This server has no registry, which the nodes of a Swarm pull images from')
  const pushed = await steps.start('Push images', async (io) => {
    const names = imageNames(await release.readModel(io.host), deployment)
    return pushImages(io, registry, {
      taskId: deployment.taskId,
      installationId: deployment.ids.installationId,
      images: new Map(names.map(({ name, image }) => [name, image])),
      folder: folders.step(DURABLE.firstStart),
    })
  })
  const plan = await steps.start('Plan services', (io) => planStart(io, deployment, { ...starting, registry, pushed }))
  await startServices(steps, { deployment, folders, services, commands, plan })
  const groups = new Map(plan.services.map(({ name, group }) => [name, group]))
  const joining = [...groups.values()].filter((group) => group !== null)
  if (joining.length > 0)
    await steps.start('Join the balance', async ({ say }) => {
      const leftOut = await context.balance(joining)
      say('The edges reach every task of the new version')
      for (const sentence of leftOut.map(leftOutSentence)) say(sentence)
    })
  return {
    routes: routesOf(deployment, services, ({ name }) => groups.get(name)),
    cleanUp: async (cleanUp) => {
      const oldGroups = plan.services.flatMap(({ oldGroup }) => oldGroup ?? [])
      if (oldGroups.length > 0)
        await cleanUp('Drain the old version', (io) => drainOldVersion(io, context, { deployment, groups: oldGroups }))
      await cleanUp('Remove the old version', (io) =>
        removeOldVersion(io, context, { deployment, folders, plan, registry }),
      )
    },
  }
}
