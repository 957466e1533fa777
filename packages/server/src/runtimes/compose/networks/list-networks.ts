// The networks of an environment as docker has them.
import { z } from 'zod'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import { networkScript } from './network-script.ts'

export type EnvironmentNetwork = z.infer<typeof EnvironmentNetwork>

const EnvironmentNetwork = z.object({
  name: z.string(),
  driver: z.string(),
  /** The task whose containers it was made for; 0 for one that has no release. */
  release: z.coerce.number().catch(0),
})

export async function listNetworks(
  host: Host,
  { installationId, environmentId }: ContainerOwner,
): Promise<EnvironmentNetwork[]> {
  const command = networkScript('list-networks', installationId, String(environmentId), FORMAT)
  const lines = (await askDocker(host, command)).split('\n').filter(Boolean)
  return lines.map((line) => EnvironmentNetwork.parse(JSON.parse(line)))
}

const FORMAT = '{"name":{{json .Name}},"driver":{{json .Driver}},"release":{{json (.Label "shipway.release")}}}'

/** Reads one from a list of the Engine API. */
export const EngineNetwork = z
  .object({ Name: z.string(), Driver: z.string(), Labels: z.record(z.string(), z.string()).nullish() })
  .transform(({ Name, Driver, Labels }) =>
    EnvironmentNetwork.parse({ name: Name, driver: Driver, release: Labels?.['shipway.release'] ?? '' }),
  )
