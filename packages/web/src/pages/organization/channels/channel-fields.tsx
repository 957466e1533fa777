// Fields of a channel: where it leads, and what it gets.
import { AlertSeverity, CHANNEL_FIELDS, ChannelEvent, type ChannelType } from '@shipway/api'
import { Checkbox, TextField } from '../../../components/form.tsx'
import type { Submission } from '../../../components/use-submission.ts'
import { EVENT_NAMES } from '../../../text/channel.ts'

export type ChannelDraft = {
  readonly type: ChannelType
  readonly name: string
  readonly url: string
  readonly token: string
  readonly recipient: string
  readonly events: readonly ChannelEvent[]
  readonly severities: readonly AlertSeverity[]
}

/** Fields that were left empty are left out. */
export function toTarget({ type, url, token, recipient }: ChannelDraft) {
  const uses = CHANNEL_FIELDS[type]
  return {
    ...(uses.url !== undefined && url !== '' && { url }),
    ...(uses.token !== undefined && token !== '' && { token }),
    ...(uses.recipient !== undefined && recipient !== '' && { recipient }),
  }
}

type FieldsProps = {
  readonly draft: ChannelDraft
  readonly onChange: (changes: Partial<ChannelDraft>) => void
  readonly submission: Submission
  /** A known channel keeps the address and token that are left empty. */
  readonly isKnown?: boolean
}

export function TargetFields({ draft, onChange, submission, isKnown = false }: FieldsProps) {
  const { type } = draft
  const uses = CHANNEL_FIELDS[type]
  const kept = isKnown ? 'Set, never shown. Leave empty to keep it.' : undefined
  return (
    <>
      {uses.url === undefined ? undefined : (
        <TextField
          label="Address"
          hint={kept ?? `${ADDRESS_HINTS[type] ?? ''} It is stored encrypted and never shown again.`}
          pointer="/url"
          submission={submission}
          placeholder={ADDRESSES[type]}
          autoComplete="off"
          value={draft.url}
          onChange={({ target }) => onChange({ url: target.value })}
        />
      )}
      {uses.token === undefined ? undefined : (
        <TextField
          label={uses.token === 'optional' ? 'Access token (optional)' : 'Token of the bot'}
          hint={kept ?? 'Stored encrypted and never shown again.'}
          pointer="/token"
          submission={submission}
          type="password"
          autoComplete="off"
          value={draft.token}
          onChange={({ target }) => onChange({ token: target.value })}
        />
      )}
      {uses.recipient === undefined ? undefined : (
        <TextField
          label={type === 'mail' ? 'E-mail address' : 'Chat'}
          hint={type === 'mail' ? undefined : 'The id of a chat, or @name of a public channel'}
          pointer="/recipient"
          submission={submission}
          placeholder={type === 'mail' ? 'oncall@example.com' : '-1001234567890'}
          autoComplete="off"
          value={draft.recipient}
          onChange={({ target }) => onChange({ recipient: target.value })}
        />
      )}
    </>
  )
}

const ADDRESSES: Readonly<Partial<Record<ChannelType, string>>> = {
  slack: 'https://hooks.slack.com/services/…',
  discord: 'https://discord.com/api/webhooks/…',
  ntfy: 'https://ntfy.sh/my-topic',
  webhook: 'https://hooks.example.com/alerts',
}

const ADDRESS_HINTS: Readonly<Partial<Record<ChannelType, string>>> = {
  slack: 'Of an incoming webhook.',
  discord: 'In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL.',
  ntfy: 'Of the topic.',
  webhook: 'Messages are sent as JSON and signed by Standard Webhooks.',
}

export function EventFields({ draft, onChange, submission }: FieldsProps) {
  const fault = submission.fieldErrors.get('/events') ?? submission.fieldErrors.get('/severities')
  return (
    <>
      <fieldset className="stack">
        <legend className="small strong">Send a message when</legend>
        {ChannelEvent.options.map((event) => (
          <Checkbox
            key={event}
            label={EVENT_NAMES[event]}
            checked={draft.events.includes(event)}
            onChange={({ target }) =>
              onChange({
                events: ChannelEvent.options.filter((one) =>
                  one === event ? target.checked : draft.events.includes(one),
                ),
              })
            }
          />
        ))}
      </fieldset>
      <fieldset className="stack">
        <legend className="small strong">Alerts that are</legend>
        {AlertSeverity.options.map((severity) => (
          <Checkbox
            key={severity}
            label={severity === 'warning' ? 'Warnings' : 'Critical'}
            checked={draft.severities.includes(severity)}
            onChange={({ target }) =>
              onChange({
                severities: AlertSeverity.options.filter((one) =>
                  one === severity ? target.checked : draft.severities.includes(one),
                ),
              })
            }
          />
        ))}
        {fault === undefined ? undefined : <p className="tiny bad">{fault}</p>}
      </fieldset>
    </>
  )
}
