// The user's sessions, and signing out.
import type { Session } from '@shipway/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { FormError } from '../../components/form.tsx'
import list from '../../components/list.module.css'
import { Tag } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { startSession } from '../../data/start-session.ts'
import { formatDate } from '../../text/ago.ts'
import { describeBrowser } from '../../text/user-agent.ts'
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
                <Row session={session} />
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

function Row({ session }: { readonly session: Session }) {
  const { id, kind, created_at, last_used_at, expires_at, address, user_agent, is_current } = session
  const submission = useSubmission()
  const name = kind === 'oauth' ? 'Command line' : user_agent === null ? 'A browser' : describeBrowser(user_agent)
  const end = async (): Promise<void> => {
    await client.deleteSession({ params: { id } })
    if (is_current) return startSession('/sign-in')
    await cache.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    showToast(`${name} is signed out`)
  }
  return (
    <>
      <div className={list.line}>
        <div>
          <div className="row">
            <span className="cut strong" title={user_agent ?? name}>
              {name}
            </span>
            {is_current ? <Tag>this session</Tag> : undefined}
          </div>
          <div className={`${styles.wrapping} small quiet`}>
            {address === null ? undefined : `from ${address}, `}
            {last_used_at === null ? (
              <>
                signed in <RelativeTime at={created_at} />
              </>
            ) : (
              <>
                used <RelativeTime at={last_used_at} />
              </>
            )}
          </div>
          <div className="tiny faint">expires {formatDate(new Date(expires_at))}</div>
        </div>
        {is_current ? undefined : (
          <Button
            isSmall
            isBusy={submission.isBusy}
            aria-label={`Sign out ${name}`}
            onClick={() => void submission.submit(end)}
          >
            Sign out
          </Button>
        )}
      </div>
      <FormError submission={submission} />
    </>
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
