// Turns two-factor codes off for another user and records it. False if they are not on.
import type { Change } from '../../store/change.ts'
import { deleteSecondFactor } from '../../store/credentials/second-factors.ts'
import { type Account, lockUser } from '../../store/people/users.ts'
import { endLockedAccess, notifyOfAccess } from './end-locked-access.ts'

export async function dropSecondFactor(tx: Change, { id, name }: Account, at: number): Promise<boolean> {
  await lockUser(tx, id)
  if (!(await deleteSecondFactor(tx, id))) return false
  notifyOfAccess(tx, id)
  await endLockedAccess(tx, { userId: id }, at)
  await tx.audit({ organizationId: null, action: 'second_factor.removed', target: { kind: 'user', id, name } })
  return true
}
