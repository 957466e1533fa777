// Where a user is signed in, for platform administrators, who can end it.
import type { Account } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { FormError } from '../../components/form.tsx'
import list from '../../components/list.module.css'
import { SessionRow } from '../../components/session-row.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import styles from './admin.module.css'

type DialogProps = { readonly user: Account; readonly isOpen: boolean; readonly onClose: () => void }

export const UserSessionsDialog = ({ user, isOpen, onClose }: DialogProps) => (
  <Dialog title={`Sessions of ${user.name}`} isOpen={isOpen} onClose={onClose} isWide>
    {isOpen ? <UserSessions user={user} onClose={onClose} /> : undefined}
  </Dialog>
)

function UserSessions({ user, onClose }: Pick<DialogProps, 'user' | 'onClose'>) {
  const params = { id: user.id }
  const submission = useSubmission()
  const {
    data: sessions,
    error,
    refetch,
  } = useQuery({
    queryKey: keys.userSessions(user.id),
    queryFn: ({ signal }) => client.listUserSessions({ params, signal }),
    staleTime: 0,
  })
  const renew = () => cache.invalidateQueries({ queryKey: keys.userSessions(user.id) })
  const endAll = async (): Promise<void> => {
    await client.deleteUserSessions({ params })
    await renew()
    showToast(`${user.name} is signed out everywhere`)
    onClose()
  }
  const revokeTokens = async (): Promise<void> => {
    const { revoked } = await client.deleteUserTokens({ params })
    showToast(`${revoked} personal ${revoked === 1 ? 'token' : 'tokens'} of ${user.name} revoked`)
  }
  if (sessions === undefined)
    return error ? (
      <Failed error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading rows={2} what="Loading sessions" />
    )
  return (
    <>
      {sessions.length === 0 ? <p className="small quiet">Signed in nowhere.</p> : undefined}
      <ul className={`${list.list} ${list.still} ${styles.sessions}`} aria-label={`Sessions of ${user.name}`}>
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionRow
              session={session}
              onEnd={async (name) => {
                await client.deleteUserSession({ params: { ...params, session_id: session.id } })
                await renew()
                showToast(`${name} is signed out`)
              }}
            />
          </li>
        ))}
      </ul>
      <p className="small quiet">
        Signing out leaves personal tokens, which machines hold. The audit log records what you end here.
      </p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void submission.submit(revokeTokens)}>
          Revoke personal tokens
        </Button>
        <Button
          variant="danger"
          isBusy={submission.isBusy}
          waitsFor={sessions.length === 0 ? 'There is no session to end' : undefined}
          onClick={() => void submission.submit(endAll)}
        >
          Sign out everywhere
        </Button>
      </DialogButtons>
    </>
  )
}
