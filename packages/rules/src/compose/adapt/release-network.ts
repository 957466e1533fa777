// Which networks of a compose file each release has its own of. Two versions run beside each other while one replaces the other, and a name
// must lead to one of them.
import type { JsonObject } from '../model.ts'
import { isSet, objectOf } from '../policy/policy-rules.ts'

/**
 * Networks of somebody else, of other drivers and with options that name something of the machine exist once: all versions share them. So
 * does an IPv6 network with ranges, since Docker does not choose those everywhere.
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
