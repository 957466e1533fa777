// The one moment in which the domains of an environment lead to the new release.
import type { Service } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../deployment/deployment.ts'
import type { StepIo } from '../deployment/run.ts'
import { serviceInRoute } from '../domain/service-domains.ts'
import type { NamedService } from './prepare/prepare.ts'
import type { NewRoute, RecipeContext } from './recipe-context.ts'

export async function switchRoutes(
  { say }: StepIo,
  context: Pick<RecipeContext, 'switchRoutes'>,
  routes: readonly NewRoute[],
): Promise<void> {
  await context.switchRoutes(routes)
  for (const { domain, port } of routes) say(`${domain} leads to port ${port}`)
}

export function routesOf(
  { environment }: Deployment,
  services: readonly NamedService[],
  portOf: (service: Service) => number | null | undefined,
): readonly NewRoute[] {
  return services.map((named) => ({
    service: serviceInRoute(named, environment),
    domain: named.domain,
    port: portOf(named.service) ?? 0,
    name: named.service.name,
    health: named.service.health ?? '/',
  }))
}
