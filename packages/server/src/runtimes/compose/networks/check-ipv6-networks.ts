// Networks with IPv6: before version 27 Docker has no firewall rules for it unless an administrator turns them on, so that containers of one
// environment would reach those of another.
import type { ComposeModel } from '@shipway/rules/compose/model'
import { within } from '@shipway/rules/compose/policy/refusal'
import { askEngineVersion } from '../../../commands/docker/engine.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import { ChecksFailed } from '../../../domain/tasks/step-fault.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'

const FIRST_APART = 27

export async function checkIpv6Networks(
  host: Host,
  model: ComposeModel,
  { grants }: Pick<Deployment, 'grants'>,
): Promise<void> {
  const networks = [...model.networks].filter(([, { enable_ipv6: isEnabled }]) => isEnabled === true)
  if (networks.length === 0 || grants.has('external_networks')) return
  const version = (await askDocker(host, askEngineVersion())).trim()
  if (Number.parseInt(version, 10) >= FIRST_APART) return
  throw ChecksFailed(
    networks.map(
      ([name]) =>
        `${within('networks', name)}.enable_ipv6 needs Docker ${FIRST_APART} or newer on ${host.name}, which has ${version}: an older one does ` +
        'not keep IPv6 networks of different environments apart. Remove it, or update Docker. An organization owner can grant ' +
        '"external_networks" to this environment',
    ),
  )
}
