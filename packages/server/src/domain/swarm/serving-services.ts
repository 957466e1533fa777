// Which services of an environment serve, and which are left of other versions.
//
// Each release has services of its own; those that cannot run twice are one service that all releases share. So a service of the file has two
// in the Swarm for a while when it gets or loses its volume.
import type { ServicePlan } from '@shipway/rules/compose/model'
import { ONE_OFF } from '../compose/orphaned-containers.ts'
import { isShared } from './stack-input.ts'
import type { SwarmService } from './swarm-view.ts'

type Version = Pick<SwarmService, 'mode' | 'task' | 'service'>

/** By name: those of the version that serves, and those that all releases share. */
export function servingServices<Service extends Version>(
  services: readonly Service[],
  servingTaskId: number | null,
): ReadonlyMap<string, Service> {
  const own = services.filter(({ service, mode }) => service !== '' && mode !== ONE_OFF)
  const shared = own.filter(({ mode }) => mode === 'in_place')
  const released = own.filter(({ task }) => task === servingTaskId)
  return new Map([...shared, ...released].map((service) => [service.service, service]))
}

/**
 * Nothing of them serves. One-off commands go on in the version that they began in.
 *
 * Of services that all releases share, those are left that came with a deployment that never served, and those that the serving version has
 * replaced by a service of its own.
 */
export function leftServices<Service extends Version>(
  services: readonly Service[],
  servingTaskId: number | null,
): readonly Service[] {
  const serving = servingServices(services, servingTaskId)
  return services.filter((service) => {
    const { mode, task } = service
    if (mode === ONE_OFF) return false
    if (mode !== 'in_place') return task !== servingTaskId || mode === 'one_shot'
    return servingTaskId !== null && (task > servingTaskId || serving.get(service.service) !== service)
  })
}

/** What all releases are to share from now on is new beside the version that serves: it must not share its balance group before it is ready. */
export function withOwnSlots<Service extends Pick<ServicePlan, 'name' | 'mode' | 'slot' | 'canRunTwice'>>(
  services: readonly Service[],
  serving: ReadonlyMap<string, Pick<SwarmService, 'mode' | 'slot'>>,
): readonly Service[] {
  return services.map((service) => {
    const live = serving.get(service.name)
    const isNew = live !== undefined && live.mode !== 'in_place' && isShared(service)
    return isNew && service.slot !== null && service.slot === live.slot
      ? { ...service, slot: service.slot === 'a' ? 'b' : 'a' }
      : service
  })
}
