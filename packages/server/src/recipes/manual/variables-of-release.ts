// The variables that a command gets in a release of the manual recipe: those of its deploy tasks, with their present values.
import type { Deployment } from '../../deployment/deployment.ts'
import type { DurableWork, Run } from '../../deployment/run.ts'
import type { ReleaseTarget } from '../actions/action-run.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { environmentOf } from './deploy.ts'
import { portsByService } from './provide-ports.ts'
import { readConfigIn } from './read-config-in.ts'

type InRelease = { readonly deployment: Deployment; readonly target: ReleaseTarget }

export async function variablesOfRelease(
  run: Run,
  context: Pick<RecipeContext, 'allocatePorts'>,
  { deployment, target }: InRelease,
): Promise<DurableWork['environment']> {
  const { services, ports } = await run.phase('Prepare')('Find ports', async ({ host }) => {
    const config = await readConfigIn(host, target.configFolder ?? target.folder, deployment.servingServiceFile)
    const services = config?.services ?? []
    const own = services.filter(({ port }) => port === null)
    return { services, ports: portsByService(own.length > 0 ? await context.allocatePorts(own) : []) }
  })
  const named = services.map((service) => ({ service, domain: '' }))
  return environmentOf(deployment, named, ports)
}
