// Routes of an environment as a deployment sets them.
import type { Service } from '@shipway/rules/service-file/repository-config'
import { type NamedService, serviceInRoute } from '../domain/service-domains.ts'
import type { Deployment } from './deployment.ts'

/** `service` is its name in the routes table, which differs at the environment's own domain (`serviceInRoute`). */
export type NewRoute = {
  readonly service: string
  readonly domain: string
  readonly port: number
  readonly name: string
  /** The path that shows whether it answers. */
  readonly health: string
  /** Each of its visitors stays with one upstream, where there are several. */
  readonly isSticky?: boolean
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
    ...(named.service.hasStickySessions && { isSticky: true }),
  }))
}
