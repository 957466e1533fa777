// Who is in the organization, with which role, and who is invited.
import { useParams } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { needs } from '../../data/disabled-reasons.ts'
import { useTold } from '../../data/live-query.ts'
import { membersQuery } from '../../data/queries.ts'
import { useHere } from '../../layout/current-page.ts'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { MemberList } from './member-list.tsx'
import { OrganizationHead } from './organization-head.tsx'

export function MembersPage() {
  const { organizationId } = useParams({ from: '/inside/organizations/$organizationId/members' })
  const { me } = useHere()
  const { data: members, error, refetch } = useTold(membersQuery(organizationId))
  const [isInviting, setInviting] = useState(false)
  const lockedBecause = needs('admin', { me, organizationId })
  return (
    <>
      <OrganizationHead
        organizationId={organizationId}
        name="Members"
        acts={
          <Button look="primary" lockedBecause={lockedBecause} onClick={() => setInviting(true)}>
            <UserPlus size={14} strokeWidth={1.5} aria-hidden="true" />
            Invite
          </Button>
        }
      />
      {members ? (
        <MemberList organizationId={organizationId} members={members} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="The members are loading" />
      )}
      {lockedBecause === undefined ? <Invitations organizationId={organizationId} /> : undefined}
      <Invite organizationId={organizationId} isOpen={isInviting} onClose={() => setInviting(false)} />
    </>
  )
}
