// Ends what users still hold of organizations that they are locked out of: open connections and ssh certificates. Their sessions and tokens
// stay, and reach the organizations again once two-factor codes are on.

import { revokeSshCertificates } from '../../store/access/ssh-certificates.ts'
import type { Change } from '../../store/change.ts'
import { listLockedMemberships } from '../../store/people/two-factor.ts'

type Whose = { readonly organizationId?: number; readonly userId?: number }

/** Called in the transaction that requires two factors, or that takes them away. */
export async function endLockedAccess(tx: Change, whose: Whose, at: number): Promise<void> {
  for (const { organizationId, userId } of await listLockedMemberships(tx, whose)) {
    await revokeSshCertificates(tx, { organizationId, userId, purposes: ['logs', 'shell', 'run'], at })
    notifyOfAccess(tx, userId)
  }
}

/** Open connections and cached answers of the user are checked again. */
export const notifyOfAccess = (tx: Change, userId: number): void =>
  tx.notify({ about: 'user', id: userId, how: 'updated' })
