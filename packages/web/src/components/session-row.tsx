// One place where a user is signed in, and the button that ends it.
import type { Session } from '@shipway/api'
import { formatDate } from '../text/ago.ts'
import { describeBrowser } from '../text/user-agent.ts'
import { Button } from './button.tsx'
import { FormError } from './form.tsx'
import list from './list.module.css'
import { Tag } from './page.tsx'
import styles from './session-row.module.css'
import { RelativeTime } from './time.tsx'
import { useSubmission } from './use-submission.ts'

type RowProps = { readonly session: Session; readonly onEnd: (name: string) => Promise<void> }

export function SessionRow({ session, onEnd }: RowProps) {
  const { kind, created_at, last_used_at, expires_at, address, user_agent, is_current } = session
  const submission = useSubmission()
  const name = kind === 'oauth' ? 'Command line' : user_agent === null ? 'A browser' : describeBrowser(user_agent)
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
            onClick={() => void submission.submit(() => onEnd(name))}
          >
            Sign out
          </Button>
        )}
      </div>
      <FormError submission={submission} />
    </>
  )
}
