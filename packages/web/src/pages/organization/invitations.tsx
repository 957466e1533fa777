// List of open invitations.
import type { Invitation } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form.tsx'
import list from '../../components/list.module.css'
import { Tag } from '../../components/page.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { formatDate } from '../../text/ago.ts'
import { invitationsQuery } from './invitations-query.ts'
import styles from './organization.module.css'

export function Invitations({ organizationId }: { readonly organizationId: number }) {
  const { data: invitations, error, refetch } = useQuery(invitationsQuery(organizationId))
  return (
    <section className="section" aria-label="Invitations">
      <h2>Invitations</h2>
      {invitations === undefined ? (
        error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={2} what="Loading invitations" />
        )
      ) : invitations.length === 0 ? (
        <p className="small quiet">No open invitations. An invitation is a link that works once, within seven days.</p>
      ) : (
        <ul className={`${list.list} ${list.still} ${styles.members}`}>
          {invitations.map((invitation) => (
            <li key={invitation.id}>
              <Row organizationId={organizationId} invitation={invitation} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type RowProps = { readonly organizationId: number; readonly invitation: Invitation }

function Row({ organizationId, invitation }: RowProps) {
  const { id, email, role, invited_by, created_at, expires_at, is_void } = invitation
  const submission = useSubmission()
  const withdraw = async (): Promise<void> => {
    await client.deleteInvitation({ params: { id: organizationId, invitation_id: id } })
    await cache.invalidateQueries({ queryKey: invitationsQuery(organizationId).queryKey })
    showToast(`Invitation of ${email} revoked`)
  }
  return (
    <>
      <div className={list.line}>
        <div>
          <div className="row">
            <span className="cut strong" title={email}>
              {email}
            </span>
            {is_void ? <Tag>invalid</Tag> : undefined}
          </div>
          <div className="small quiet">
            {is_void ? (
              `No longer valid: ${invited_by.name} has left or cannot assign this role any more. Send a new invitation.`
            ) : (
              <>
                by {invited_by.name}, <RelativeTime at={created_at} />
              </>
            )}
          </div>
        </div>
        <div className={`${styles.role} small`}>{role}</div>
        <div className={`${styles.since} small quiet`}>until {formatDate(new Date(expires_at))}</div>
        <div className={styles.button}>
          <Button
            isSmall
            isBusy={submission.isBusy}
            aria-label={`Revoke the invitation of ${email}`}
            onClick={() => void submission.submit(withdraw)}
          >
            Revoke
          </Button>
        </div>
      </div>
      <FormError submission={submission} />
    </>
  )
}
