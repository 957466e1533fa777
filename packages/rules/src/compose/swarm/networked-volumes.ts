// Tells volumes that every node reaches from those that are on one.
import type { JsonObject } from '../model.ts'
import { isSet, objectOf } from '../policy/policy-rules.ts'

/** By another driver than the usual one, or on a file server. */
export function isNetworked(volume: JsonObject | undefined): boolean {
  const { external, driver, driver_opts: options } = volume ?? {}
  if (external === true) return false
  if (isSet(driver) && driver !== 'local') return true
  return FILE_SERVERS.includes(String(objectOf(options).type))
}

const FILE_SERVERS = ['nfs', 'nfs4', 'cifs', 'smb3']
