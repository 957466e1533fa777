// The user's sessions, and signing out.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { FormError } from '../../components/form.tsx'
import list from '../../components/list.module.css'
import { Section } from '../../components/section.tsx'
import { SessionRow } from '../../components/session-row.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { startSession } from '../../data/start-session.ts'
import styles from './profile.module.css'

const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: ({ signal }) => client.listSessions({ signal }),
  staleTime: 0,
})

export function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  return (
    <Section
      title="Sessions"
      about="Browsers and command lines that are signed in. If you do not recognize one, sign it out and change your password."
    >
      <div className="stack">
        {sessions ? (
          <ul className={`${list.list} ${list.still} ${styles.list}`}>
            {sessions.map((session) => (
              <li key={session.id}>
                <SessionRow
                  session={session}
                  onEnd={async (name) => {
                    await client.deleteSession({ params: { id: session.id } })
                    await cache.invalidateQueries({ queryKey: keys.sessions })
                    showToast(`${name} is signed out`)
                  }}
                />
              </li>
            ))}
          </ul>
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={2} what="Loading sessions" />
        )}
        <SignOut />
      </div>
    </Section>
  )
}

function SignOut() {
  const [isOpen, setOpen] = useState(false)
  const submission = useSubmission()
  const everywhere = useSubmission()
  const close = (): void => setOpen(false)
  return (
    <>
      <div className="wrapped">
        <Button
          isBusy={submission.isBusy}
          onClick={() =>
            void submission.submit(async () => {
              await client.signOut()
              startSession('/sign-in')
            })
          }
        >
          Sign out here
        </Button>
        <Button onClick={() => setOpen(true)}>Sign out everywhere…</Button>
      </div>
      <FormError submission={submission} />
      <Dialog title="Sign out everywhere" isOpen={isOpen} onClose={close}>
        <p className="small">
          Ends all sessions, including this one and those of the command line. Personal tokens stay valid; revoke them
          above.
        </p>
        <FormError submission={everywhere} />
        <DialogButtons>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="danger"
            isBusy={everywhere.isBusy}
            onClick={() =>
              void everywhere.submit(async () => {
                await client.signOut({ body: { everywhere: true } })
                startSession('/sign-in')
              })
            }
          >
            Sign out everywhere
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}
