// Gives services of the live deployment another number of tasks. The edges take them in and out as the Swarm says of them.
import { scaleService } from '../../commands/docker/services.ts'
import { leftServices } from '../../domain/swarm/serving-services.ts'
import type { SwarmService } from '../../domain/swarm/swarm-view.ts'
import { CheckFailed, ChecksFailed } from '../../domain/tasks/step-fault.ts'
import { runDocker } from '../../remote/ask-docker.ts'
import type { Host } from '../../remote/host.ts'
import type { Scaling } from '../runtime.ts'
import { listSwarm } from './view/list-swarm.ts'

export async function checkScale(host: Host, { owner, servingTaskId, replicas }: Scaling): Promise<void> {
  const { services } = await listSwarm(host, owner)
  const left = leftServices(services, servingTaskId)
  const faults = [...replicas].flatMap(([name, count]) => {
    const own = scalable(services, name).filter((service) => !left.includes(service))
    if (own.length === 0) return [`${name} does not run, so it cannot be scaled. Deploy the environment`]
    return own.some(isOnlyOne) && count !== 1
      ? [`${name} cannot run more than once: it keeps data in a volume, or shares something with another service`]
      : []
  })
  if (faults.length > 0) throw faults.length === 1 ? CheckFailed(faults[0] ?? '') : ChecksFailed(faults)
}

/** Also those of an old version that still has requests. What cannot run twice, or has been removed meanwhile, is left alone. */
export async function scale(host: Host, { owner, replicas }: Scaling): Promise<void> {
  const { services } = await listSwarm(host, owner)
  for (const [name, count] of replicas) {
    for (const { id } of scalable(services, name).filter((service) => !isOnlyOne(service))) {
      try {
        await runDocker(host, scaleService(id, count), `${name} cannot be scaled on ${host.name}`)
      } catch (error) {
        const { services: now } = await listSwarm(host, owner)
        if (now.some((service) => service.id === id)) throw error
      }
    }
  }
}

const scalable = (services: readonly SwarmService[], name: string): readonly SwarmService[] =>
  services.filter(({ service, replicas }) => service === name && replicas !== null)

const isOnlyOne = ({ mode }: SwarmService): boolean => mode === 'in_place' || mode === 'unchanged'
