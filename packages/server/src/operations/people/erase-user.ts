// Deletes an account: from this transaction on its user can do nothing. The row stays without credentials, so
// that tasks, variables and approvals still have a name.
import { mayOwn } from '@shipway/api/permissions'
import { LastAdministrator, LastOwnerOf, NewOwnerNeeded } from '../../domain/errors.ts'
import { revokeSshCertificates } from '../../store/access/ssh-certificates.ts'
import type { Change } from '../../store/change.ts'
import { countOwners, deleteMember, findMember, findOldestOwner } from '../../store/people/memberships.ts'
import { lockOrganization } from '../../store/people/organizations.ts'
import { listProtectedOf } from '../../store/people/ownership.ts'
import {
  eraseAccount,
  findProfile,
  hasOtherAdministrator,
  lockAdministrators,
  lockUser,
  type Profile,
} from '../../store/people/users.ts'
import { endEverySignIn } from '../credentials/end-every-sign-in.ts'
import { orNotFound } from '../or-not-found.ts'
import { transferOwnership } from './transfer-ownership.ts'

type Erasure = {
  readonly userId: number
  /** Takes over in every organization where this person is a member; see docs/operations.md. */
  readonly newOwnerId: number | undefined
  readonly at: number
}

/** Of the list that a caller is shown. */
const MAX_NAMED = 50

export async function eraseUser(tx: Change, erasure: Erasure): Promise<void> {
  const { userId, at } = erasure
  // Organizations are locked before their records, and always in the same order.
  const known = orNotFound(await findProfile(tx, userId), 'user')
  for (const { id } of known.organizations) await lockOrganization(tx, id)
  if (known.isPlatformAdmin) await lockAdministrators(tx)
  await lockUser(tx, userId)
  const profile = orNotFound(await findProfile(tx, userId), 'user')
  if (profile.isPlatformAdmin && !(await hasOtherAdministrator(tx, userId))) throw LastAdministrator(profile.name)
  for (const organization of profile.organizations) await leave(tx, profile, organization, erasure)
  await endEverySignIn(tx, userId)
  await eraseAccount(tx, userId, at)
  await tx.audit({
    organizationId: null,
    action: 'user.deleted',
    target: { kind: 'user', id: userId, name: profile.name },
  })
}

async function leave(
  tx: Change,
  { id: userId, name }: Profile,
  organization: Profile['organizations'][number],
  { newOwnerId, at }: Erasure,
): Promise<void> {
  const organizationId = organization.id
  if (organization.role === 'owner' && (await countOwners(tx, organizationId)) === 1) {
    throw LastOwnerOf(organization.name, name)
  }
  await deleteMember(tx, { organizationId, userId })
  await revokeSshCertificates(tx, { organizationId, userId, purposes: ['logs', 'shell', 'run'], at })
  await tx.audit({ organizationId, action: 'member.removed', target: { kind: 'member', id: userId, name } })
  const named = newOwnerId === undefined ? undefined : await findMember(tx, organizationId, newOwnerId)
  const guarded = await listProtectedOf(tx, { organizationId, userId, most: MAX_NAMED })
  const isNamed = named !== undefined && mayOwn(named.role)
  if (guarded.length > 0 && !isNamed) throw NewOwnerNeeded(guarded)
  const newOwner = isNamed ? named : orNotFound(await findOldestOwner(tx, organizationId), 'member')
  await transferOwnership(tx, { organizationId, from: userId, to: newOwner.id, at })
}
