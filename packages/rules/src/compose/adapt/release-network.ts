// Decides which networks are created per release. Two versions run side by side during a deployment, and a name must lead to one of them.
import type { JsonObject } from '../model.ts'
import { isSet, objectOf } from '../policy/policy-rules.ts'

/**
 * External networks, other drivers and networks with options of the machine exist once, and all versions share them. So do IPv6 networks
 * with ranges, since not every Docker chooses those itself.
 */
export function isReleaseNetwork(definition: JsonObject): boolean {
  const { external, driver, driver_opts: options, ipam, enable_ipv4: hasIpv4, enable_ipv6: hasIpv6 } = definition
  if (external === true || hasIpv4 === false) return false
  if (hasIpv6 === true && isSet(objectOf(ipam).config)) return false
  if (isSet(driver) && driver !== 'bridge') return false
  if (isSet(objectOf(ipam).driver) && objectOf(ipam).driver !== 'default') return false
  return Object.entries(objectOf(options)).every(([key, value]) => key === MTU && /^\d{1,5}$/.test(String(value)))
}

export const MTU = 'com.docker.network.driver.mtu'
