// Starts containers that need no Compose. Where that does not work for one of them, Compose is asked for all: it takes those that are
// there as its own, so it does not matter how far this came.
import type { Deployment } from '../../deployment.ts'
import type { StepIo } from '../../run.ts'
import { dockerScript } from '../script.ts'
import type { ServiceStart } from '../service-start.ts'
import type { RequestedContainers } from './requested-containers.ts'

type Starting = { readonly services: readonly ServiceStart[]; readonly requested: RequestedContainers }

/** Whether all of them have started. May be repeated. */
export async function startRequested(
  { host, signal, say }: StepIo,
  { ids, taskId }: Pick<Deployment, 'ids' | 'taskId'>,
  { services, requested }: Starting,
): Promise<boolean> {
  const requests = services.flatMap(({ name }) => requested.find(name) ?? [])
  if (requests.length < services.length) return false
  for (const [index, { name, network, body }] of requests.entries()) {
    const owner = [ids.installationId, String(ids.environmentId), String(taskId), services[index]?.name ?? '']
    const command = dockerScript('start-container', name, network, ...owner)
    const { exitCode } = await host.run(command, { input: JSON.stringify(body), signal })
    if (exitCode !== 0) return false
    say(`Container ${name} Started`)
  }
  return true
}
