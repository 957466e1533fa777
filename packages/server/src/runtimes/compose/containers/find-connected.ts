// Finds unchanged services that are connected to a container that is about to be removed, without a dependency on its service: they
// have to resolve its name again, or keep calling an address that no longer answers.

import { dockerScript } from '../../../commands/docker/script.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Host } from '../../../remote/host.ts'
import type { Start } from '../plan.ts'
import { type Container, listContainers } from './list-containers.ts'

/** Returns a sentence for each. */
export async function findConnected(host: Host, { ids, taskId }: Deployment, plan: Start): Promise<readonly string[]> {
  const namesOf = (mode: string): string[] =>
    plan.services.filter((service) => service.mode === mode && service.hasContainer).map(({ name }) => name)
  const [unchanged, replaced] = [namesOf('unchanged'), namesOf('beside')]
  if (unchanged.length === 0 || replaced.length === 0) return []
  const running = (await listContainers(host, ids)).filter(({ status }) => status === 'running')
  const from = running.filter(({ service }) => unchanged.includes(service))
  const to = running.filter(({ service, task }) => replaced.includes(service) && task !== taskId)
  if (from.length === 0 || to.length === 0) return []
  const idsOf = (containers: readonly Container[]): string[] => containers.map(({ id }) => id)
  const { stdout } = await host.run(dockerScript('find-connections', String(from.length), ...idsOf(from), ...idsOf(to)))
  const serviceOf = (id: string | undefined): string | undefined => running.find((one) => one.id === id)?.service
  const found = stdout.toString().split('\n').filter(Boolean)
  const sentences = found.map((line) => {
    const [client, server] = line.split(' ').map(serviceOf)
    return (
      `${client} did not change and is connected to the old container of ${server}, which goes now. ` +
      `Name ${server} under depends_on of ${client}: then both are replaced together`
    )
  })
  return [...new Set(sentences)]
}
