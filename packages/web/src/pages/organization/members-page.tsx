// Members and invitations of an organization.
import { useParams } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { membersQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { MemberList } from './member-list.tsx'
import { OrganizationHead } from './organization-head.tsx'

export function MembersPage() {
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId/members' })
  const { me } = useCurrentPage()
  const { data: members, error, refetch } = useLiveQuery(membersQuery(organizationId))
  const [isInviting, setInviting] = useState(false)
  const disabledReason = missingPermission('manage_members', { me, organizationId })
  return (
    <>
      <OrganizationHead
        organizationId={organizationId}
        name="Members"
        buttons={
          <Button variant="primary" disabledReason={disabledReason} onClick={() => setInviting(true)}>
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
        <Loading what="Loading members" />
      )}
      {disabledReason === undefined ? <Invitations organizationId={organizationId} /> : undefined}
      <Invite organizationId={organizationId} isOpen={isInviting} onClose={() => setInviting(false)} />
    </>
  )
}
