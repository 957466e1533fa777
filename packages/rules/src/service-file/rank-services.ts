// Orders the services that answer visitors: the one that a person would open first.
import type { ServiceOutline } from '../compose/compose-outline.ts'
import { isTool } from './service-roles.ts'

type Ranked = { readonly service: ServiceOutline; readonly port: number | null; readonly host: number | null }

export function byRank(one: Ranked, other: Ranked): number {
  return rankOf(one) - rankOf(other) || (one.host ?? NO_PORT) - (other.host ?? NO_PORT)
}

const NO_PORT = 100_000

/** Proxies on the usual ports, then front ends, applications, everything else, back ends, and pages about other services. */
function rankOf({ service, port, host }: Ranked): number {
  const { name, image } = service
  if (isTool(service)) return 6
  const isProxy = PROXY.test(name) || PROXY_IMAGE.test(image ?? '')
  // Of a host port that a variable names nothing is known.
  if (isProxy && (host === 80 || host === 443 || (host === null && port === 80))) return 0
  if (FRONT.test(name)) return 1
  if (APPLICATION.test(name) || isProxy) return 2
  return BACK.test(name) ? 4 : 3
}

const PROXY = /proxy|nginx|caddy|traefik|haproxy|gateway|ingress|apache|httpd/
const PROXY_IMAGE = /(?:^|\/)(?:nginx|caddy|traefik|haproxy|httpd|openresty|envoy)(?:[:@-]|$)/
const FRONT = /front|web(?!hook|socket)|www|website|(?:^|[-_.])(?:ui|client|site|portal|spa)(?:[-_.\d]|$)/
const APPLICATION = /(?:^|[-_.\d])app|app(?:$|[-_.\d])/
const BACK = /api|back|server|service|grpc|webhook|socket|stream/
