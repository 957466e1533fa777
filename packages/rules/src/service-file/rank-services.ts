// Orders the services that answer visitors: the one that a person would open first.
import type { ServiceOutline } from '../compose/compose-outline.ts'
import { isTool } from './service-roles.ts'

type Ranked = { readonly service: ServiceOutline; readonly port: number | null; readonly host: number | null }

export function byRank(one: Ranked, other: Ranked): number {
  return rankOf(one) - rankOf(other) || (one.host ?? NO_PORT) - (other.host ?? NO_PORT)
}

const NO_PORT = 100_000

/** Proxies on the usual ports, front ends, applications, dashboards, everything else, pages for administrators, back ends, pages about other services. */
function rankOf({ service, port, host }: Ranked): number {
  const { name } = service
  if (isTool(service)) return 7
  const isBefore = isProxy(service)
  // Of a host port that a variable names nothing is known.
  if (isBefore && (host === 80 || host === 443 || (host === null && port === 80))) return 0
  if (FRONT.test(name)) return 1
  if (APPLICATION.test(name) || isBefore) return 2
  if (name === 'dashboard') return 3
  if (ADMINISTRATION.test(name)) return 5
  return isBackEnd(service) ? 6 : 4
}

export const isProxy = ({ name, image }: Pick<ServiceOutline, 'name' | 'image'>): boolean =>
  PROXY.test(name) || PROXY_IMAGE.test(image ?? '')

/** A published image with another name is the whole application, whatever the service is called. */
const isBackEnd = ({ name, image, build }: ServiceOutline): boolean =>
  BACK.test(name) && (build !== null || image === null || BACK.test(image.replace(/^.*\//, '')))

const PROXY = /proxy|nginx|caddy|traefik|haproxy|gateway|ingress|apache|httpd/
const PROXY_IMAGE = /(?:^|\/)(?:nginx|caddy|traefik|haproxy|httpd|openresty|envoy)(?:[:@-]|$)/
const FRONT = /front|web(?!hook|socket)|www|website|(?:^|[-_.])(?:ui|client|site|portal|spa)(?:[-_.\d]|$)/
const APPLICATION = /(?:^|[-_.\d])app|app(?:$|[-_.\d])/
const ADMINISTRATION = /(?:^|[-_.])admin/
const BACK = /api|back|server|service|grpc|webhook|socket|stream/
