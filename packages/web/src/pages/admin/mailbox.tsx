// Mailbox of a platform that sends no mail and is reachable from its own machine only.
import type { KeptMail } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../../components/section.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import styles from './admin.module.css'

export function Mailbox({ baseUrl }: { readonly baseUrl: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.mailbox,
    queryFn: ({ signal }) => client.listKeptMails({ signal }),
    refetchInterval: 5_000,
  })
  return (
    <Section
      title="Mailbox"
      about="Mails that would have been sent. Their links sign people in, so only platform administrators see them."
    >
      {data === undefined ? (
        error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={2} what="Loading mails" />
        )
      ) : data.length === 0 ? (
        <p className="small quiet">No mails yet. Invite a member, or request a new password.</p>
      ) : (
        <ul className={styles.mails}>
          {data.map((mail) => (
            <li key={mail.id}>
              <Letter mail={mail} baseUrl={baseUrl} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Letter({ mail, baseUrl }: { readonly mail: KeptMail; readonly baseUrl: string }) {
  return (
    <details>
      <summary>
        <span className="strong">{mail.subject}</span>{' '}
        <span className="small quiet">
          · to {mail.to}, <RelativeTime at={mail.created_at} />
        </span>
      </summary>
      <div className={styles.letter}>
        {mail.text.split('\n').map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a mail never change
          <p key={index}>
            {line.startsWith(`${baseUrl}/`) ? (
              <a className="link" href={line}>
                {line}
              </a>
            ) : (
              line
            )}
          </p>
        ))}
      </div>
    </details>
  )
}
