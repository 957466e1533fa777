// Silences the alerts of an environment for some time, or turns them on again.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { silenceQuery } from '../../data/silence-query.ts'
import { formatExact } from '../../text/ago.ts'
import { Button } from '../button.tsx'
import { DialogButtons } from '../dialog.tsx'
import { Choice, Form, FormError } from '../form.tsx'
import { showToast } from '../toast.tsx'
import { useSubmission } from '../use-submission.ts'

const HOUR_MS = 3_600_000

const CHOICES = [
  ['1', 'For 1 hour'],
  ['8', 'For 8 hours'],
  ['24', 'For 1 day'],
  ['168', 'For 1 week'],
  ['', 'Until it is turned on again'],
] as const

type SilenceProps = { readonly environmentId: number; readonly onClose: () => void }

export function SilenceEnvironment({ environmentId, onClose }: SilenceProps) {
  const { data } = useQuery(silenceQuery(environmentId))
  const [hours, setHours] = useState('1')
  const submission = useSubmission(['/until'])
  const params = { id: environmentId }
  const done = async (words: string): Promise<void> => {
    await cache.invalidateQueries({ queryKey: keys.silence(environmentId) })
    onClose()
    showToast(words)
  }
  const silence = async (): Promise<void> => {
    const until = hours === '' ? null : new Date(Date.now() + Number(hours) * HOUR_MS).toISOString()
    await client.silenceEnvironment({ params, body: { until } })
    await done('Alerts of this environment are silenced')
  }
  const unsilence = async (): Promise<void> => {
    await client.unsilenceEnvironment({ params })
    await done('Alerts of this environment are on')
  }
  return (
    <Form label="Silence alerts" submission={submission} onSubmit={() => void submission.submit(silence)}>
      <p className="small quiet">
        Alerts are still listed, but sent to no channel. An alert that is still open when the silence ends is sent then.
      </p>
      {data?.silenced ? (
        <p className="small">
          {data.until === null
            ? 'Silenced until it is turned on again.'
            : `Silenced until ${formatExact(new Date(data.until))}.`}
        </p>
      ) : undefined}
      <Choice
        label="Silence"
        pointer="/until"
        submission={submission}
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      >
        {CHOICES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Choice>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        {data?.silenced ? (
          <Button isBusy={submission.isBusy} onClick={() => void submission.submit(unsilence)}>
            Turn on alerts
          </Button>
        ) : undefined}
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Silence
        </Button>
      </DialogButtons>
    </Form>
  )
}
