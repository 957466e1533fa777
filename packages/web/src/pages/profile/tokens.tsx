// Personal tokens, for scripts and CI.
import type { Me, PersonalToken } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { FormError } from '../../components/form.tsx'
import list from '../../components/list.module.css'
import { Section } from '../../components/section.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { formatDate } from '../../text/ago.ts'
import { NewToken } from './new-token.tsx'
import styles from './profile.module.css'
import { tokensQuery } from './tokens-query.ts'

export function Tokens({ me }: { readonly me: Me }) {
  const { data: tokens, error, refetch } = useQuery(tokensQuery)
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<PersonalToken>()
  return (
    <Section title="Personal tokens" about="For scripts and CI. A token acts as you, within its scopes.">
      <div className="stack">
        {tokens === undefined ? (
          error ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : (
            <Loading rows={2} what="Loading tokens" />
          )
        ) : tokens.length === 0 ? (
          <p className="small quiet">No tokens yet.</p>
        ) : (
          <ul className={`${list.list} ${list.still} ${styles.list}`}>
            {tokens.map((token) => (
              <li key={token.id}>
                <Row token={token} me={me} onRevoke={() => setRevoked(token)} />
              </li>
            ))}
          </ul>
        )}
        <div>
          <Button onClick={() => setMaking(true)}>New token…</Button>
        </div>
      </div>
      <NewToken me={me} isOpen={isMaking} onClose={() => setMaking(false)} />
      <Dialog
        title={`Revoke ${revoked?.name ?? ''}`}
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
      >
        {revoked ? <Revoke token={revoked} onClose={() => setRevoked(undefined)} /> : undefined}
      </Dialog>
    </Section>
  )
}

type RowProps = { readonly token: PersonalToken; readonly me: Me; readonly onRevoke: () => void }

function Row({ token, me, onRevoke }: RowProps) {
  const { name, scopes, organization_id, expires_at, last_used_at } = token
  const organization = me.organizations.find(({ id }) => id === organization_id)
  const isOver = Date.parse(expires_at) < Date.now()
  return (
    <div className={list.line}>
      <div>
        <div className="cut strong" title={name}>
          {name}
        </div>
        <div className="small quiet">
          {scopes.join(', ')}
          {organization_id === null ? '' : `; only ${organization?.name ?? 'one organization'}`}
        </div>
        <div className="tiny faint">
          {isOver ? 'expired on' : 'until'} {formatDate(new Date(expires_at))},{' '}
          {last_used_at === null ? (
            'never used'
          ) : (
            <>
              used <RelativeTime at={last_used_at} />
            </>
          )}
        </div>
      </div>
      <Button isSmall aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke…
      </Button>
    </div>
  )
}

function Revoke({ token, onClose }: { readonly token: PersonalToken; readonly onClose: () => void }) {
  const submission = useSubmission()
  const revoke = async (): Promise<void> => {
    await client.deleteToken({ params: { id: token.id } })
    await cache.invalidateQueries({ queryKey: tokensQuery.queryKey })
    onClose()
    showToast(`${token.name} is revoked`)
  }
  return (
    <>
      <p className="small">Programs that use this token are refused immediately. This cannot be undone.</p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void submission.submit(revoke)}>
          Revoke token
        </Button>
      </DialogButtons>
    </>
  )
}
