// Checks the address of a server, and that its machine belongs to no other organization.
import type { Context } from '../../context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { serverAddressFault } from '../../domain/server-address.ts'
import type { Change } from '../../store/change.ts'
import { isMachineOfOthers } from '../../store/servers/machines.ts'

/** Checks the text only. What a name resolves to is checked at every connection. */
export function demandReachable({ config }: Pick<Context, 'config'>, actor: Actor, hostname: string): void {
  const { allowedNetworks } = config
  const fault = serverAddressFault(hostname, { allowedNetworks, mayBePrivate: actor.isPlatformAdmin })
  if (fault) throw InvalidField('/hostname', fault.code, fault.detail)
}

/** Does not reveal the owner. Naming a key claims nothing, since host keys are public; signing in does. */
export async function demandUnclaimed(tx: Change, organizationId: number, hostKey: string): Promise<void> {
  if (!(await isMachineOfOthers(tx, { organizationId, hostKey }))) return
  throw InvalidField(
    '/host_key',
    'machine_taken',
    'A machine with this host key belongs to another organization here. If the machine is yours alone, make new host keys ' +
      'on it (rm /etc/ssh/ssh_host_*, then ssh-keygen -A) and give the new one',
  )
}
