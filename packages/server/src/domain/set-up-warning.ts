// Whether a machine that is to become a server can fetch the set-up script from the platform.
import { reachOf } from '@shipway/api/values/reach'

/** Null if nothing speaks against it. */
export function setUpWarning(baseUrl: string): string | null {
  const advice =
    'put a proxy with TLS in front of the platform (in a private network, SHIPWAY_HOST=0.0.0.0 is enough), ' +
    'set SHIPWAY_BASE_URL to an address that the machine can reach, and start the platform again'
  switch (reachOf(baseUrl)) {
    case 'this machine':
      return `No other machine reaches ${baseUrl}, the address of this platform, so the line works on this machine alone. Before you run it elsewhere, ${advice}`
    case 'its network':
      return `Only machines in the same network reach ${baseUrl}, the address of this platform. For one elsewhere, ${advice}`
    case 'everywhere':
      return null
  }
}
