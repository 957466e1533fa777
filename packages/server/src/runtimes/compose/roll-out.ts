// A deployment on one machine: reserves ports, starts containers beside the old ones, and removes those after the switch.
import { routesOf } from '../../deployment/routes.ts'
import type { DoStep } from '../../deployment/run.ts'
import type { NewVersion, Reservation, ReservationRequest, RunningVersion, VersionSteps } from '../runtime.ts'
import type { RuntimeContext, SlotPort } from '../runtime-context.ts'
import { drainOldVersion, removeOldVersion } from './containers/clean-up.ts'
import { startServices } from './containers/start.ts'
import { containersWithoutCompose } from './fast-path/containers-without-compose.ts'
import { planStart } from './plan.ts'
import { allocateSlots } from './ports/allocate-slots.ts'

export async function reserve(
  prepare: DoStep,
  context: RuntimeContext,
  request: ReservationRequest,
): Promise<Reservation> {
  const slots = await prepare({ key: 'Allot ports', name: 'Allocate ports' }, (io) =>
    allocateSlots(io, context, request),
  )
  return { start: (steps, version) => startVersion(steps, context, { ...request, ...version, slots }) }
}

type VersionToStart = ReservationRequest & NewVersion & { readonly slots: readonly SlotPort[] }

async function startVersion(
  steps: VersionSteps,
  context: RuntimeContext,
  starting: VersionToStart,
): Promise<RunningVersion> {
  const { deployment, folders, services, commands } = starting
  const withoutCompose = containersWithoutCompose()
  const plan = await steps.start('Plan services', (io) => planStart(io, deployment, { ...starting, withoutCompose }))
  const ports = await startServices(steps, context, { deployment, folders, services, commands, plan, withoutCompose })
  return {
    routes: routesOf(deployment, services, ({ name }) => ports.get(name)),
    cleanUp: async (cleanUp) => {
      const oldPorts = plan.services.flatMap((service) => service.oldPorts)
      if (oldPorts.length > 0)
        await cleanUp('Drain the old version', (io) => drainOldVersion(io, context, { deployment, ports: oldPorts }))
      await cleanUp('Remove the old version', (io) => removeOldVersion(io, context, { deployment, folders, plan }))
    },
  }
}
