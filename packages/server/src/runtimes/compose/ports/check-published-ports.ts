// Checks the ports that a compose file publishes on the server by a grant: reports who has one before anything of the release starts.
import type { ComposeModel } from '@shipway/rules/compose/model'
import type { Deployment } from '../../../deployment/deployment.ts'
import { ChecksFailed } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import type { RuntimeContext } from '../../runtime-context.ts'
import { findUsedPorts } from './used-ports.ts'

/** Ignores ranges: Docker chooses a free port from them. */
export async function checkPublishedPorts(
  host: Host,
  context: Pick<RuntimeContext, 'claimPorts'>,
  { model, ids }: { readonly model: ComposeModel; readonly ids: Deployment['ids'] },
): Promise<void> {
  const published = [...model.services.values()].flatMap(({ name, ports }) =>
    ports.flatMap((port) => (/^\d+$/.test(port.published ?? '') ? [{ name, port: Number(port.published) }] : [])),
  )
  if (published.length === 0) return
  const owners = await context.claimPorts(published.map(({ port }) => port))
  const { inUse, own } = await findUsedPorts(host, ids)
  const faults = published.flatMap(({ name, port }) => {
    const owner = owners.get(port) ?? (inUse.has(port) && !own.has(port) ? 'something else on the server' : undefined)
    return owner === undefined ? [] : [`${name}: port ${port} of the server belongs to ${owner}. Publish another one`]
  })
  if (faults.length > 0) throw ChecksFailed(faults)
}
