// Who may become the owner of a project or an environment: a member of the organization who is no viewer.

import { mayOwn } from '@shipway/api/permissions'
import { InvalidField } from '../../domain/errors.ts'
import type { Change } from '../../store/change.ts'
import { findMember, type Member } from '../../store/people/memberships.ts'

type Choice = {
  readonly organizationId: number
  readonly userId: number
  /** The field that names the person. */
  readonly pointer: '/owner_id' | '/new_owner_id'
}

export async function chooseOwner(tx: Change, { organizationId, userId, pointer }: Choice): Promise<Member> {
  const member = await findMember(tx, organizationId, userId)
  if (!member || !mayOwn(member.role)) {
    throw InvalidField(pointer, 'not_a_member', 'Choose a member of the organization with the role member or higher')
  }
  return member
}
