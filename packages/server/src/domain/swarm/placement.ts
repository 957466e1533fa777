// On which nodes the compose file lets a service run.
import type { ComposeService } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { processorOf } from '@shipway/rules/compose/swarm/node-platform'

/** As a Swarm reads them: those of `deploy.placement`, and the processor of `platform`. */
export function constraintsOf({ definition }: Pick<ComposeService, 'definition'>): readonly string[] {
  const { constraints } = objectOf(objectOf(definition.deploy).placement)
  const wanted = Array.isArray(constraints) ? constraints.map(String) : []
  const processor = typeof definition.platform === 'string' ? processorOf(definition.platform) : null
  return processor ? [...wanted, `node.platform.arch==${processor}`] : wanted
}
