// Waits until the new container of a service may get requests, and says why it may not.
import type { Host } from '../../../remote/host.ts'
import type { Deployment } from '../../deployment.ts'
import type { StepIo } from '../../run.ts'
import { dockerScript } from '../script.ts'
import type { ServiceStart } from '../service-start.ts'
import { withReason } from '../with-reason.ts'
import { type Container, listContainers } from './list-containers.ts'
import { whyNotReady } from './why-not-ready.ts'

type Waiting = {
  readonly service: ServiceStart
  /** Where it is routed. */
  readonly domain: string | undefined
  readonly folder: string
}

export async function awaitReady(
  io: StepIo,
  deployment: Deployment,
  { service, domain = '127.0.0.1', folder }: Waiting,
): Promise<void> {
  const { ids, taskId, readySeconds: seconds } = deployment
  const { name, gate, port, containerPort, health } = service
  const words = [ids.installationId, String(ids.environmentId), String(taskId), name]
  // Where it should listen matters only where requests are led to it.
  const inside = port === null ? 0 : (containerPort ?? 0)
  const gated = [gate, String(port ?? 0), health, domain, String(seconds), String(inside)]
  const run = dockerScript('wait-until-ready', ...words, ...gated)
  const work = { run, folder, timeoutMs: (seconds + 60) * 1000 }
  await withReason(io, work, {
    from: 'start',
    faultOf: async ({ exitCode, said }) => {
      const container = await findContainer(io.host, deployment, name)
      return whyNotReady(service, { exitCode, said, seconds, container })
    },
  })
}

async function findContainer(host: Host, { ids, taskId }: Deployment, service: string): Promise<Container | undefined> {
  const containers = await listContainers(host, ids)
  return containers.find((container) => container.service === service && container.task === taskId)
}
