// Warns about mails that could not be sent.
import type { Platform } from '@shipway/api'
import { Notice } from '../../components/states.tsx'

export function MailNotice({ mails }: Pick<Platform, 'mails'>) {
  const { given_up: givenUp, retrying, last_error: said } = mails
  if (givenUp === 0 && retrying === 0) return null
  return (
    <Notice tone={givenUp > 0 ? 'bad' : 'warn'}>
      {givenUp > 0 ? <p>{count(givenUp)} could not be delivered in the last week.</p> : undefined}
      {retrying > 0 ? <p>{count(retrying)} could not be sent yet and will be retried.</p> : undefined}
      {said === null ? undefined : <p className="quiet">The mail server said: {said}</p>}
    </Notice>
  )
}

const count = (mails: number): string => (mails === 1 ? 'One mail' : `${mails.toLocaleString('en')} mails`)
