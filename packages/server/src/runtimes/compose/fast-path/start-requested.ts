// Starts containers that need no Compose. Where that does not work for one of them, Compose is asked for all: it takes those that are
// there as its own, so it does not matter how far this came.

import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { StepIo } from '../../../deployment/run.ts'
import type { ServiceStart } from '../service-start.ts'
import type { RequestedContainers } from './requested-containers.ts'

type Starting = { readonly services: readonly ServiceStart[]; readonly requested: RequestedContainers }

/** The names of the containers, by service; undefined where not all of them have started. May be repeated. */
export async function startRequested(
  { host, signal, say }: StepIo,
  { ids, taskId }: Pick<Deployment, 'ids' | 'taskId'>,
  { services, requested }: Starting,
): Promise<ReadonlyMap<string, string> | undefined> {
  const requests = services.flatMap(({ name }) => {
    const request = requested.find(name)
    return request ? [{ service: name, ...request }] : []
  })
  if (requests.length < services.length) return undefined
  // Proxies are routed, and look up at their start what they lead to, whether or not their file names it.
  const isRouted = new Set(services.filter(({ port }) => port !== null).map(({ name }) => name))
  const ordered = requests.toSorted((a, b) => Number(isRouted.has(a.service)) - Number(isRouted.has(b.service)))
  for (const { service, name, body } of ordered) {
    const owner = [ids.installationId, String(ids.environmentId), String(taskId), service]
    const command = dockerScript('start-container', name, ...owner)
    const { exitCode } = await host.run(command, { input: JSON.stringify(body), signal })
    if (exitCode !== 0) return undefined
    say(`Container ${name} Started`)
  }
  return new Map(requests.map(({ service, name }) => [service, name]))
}
