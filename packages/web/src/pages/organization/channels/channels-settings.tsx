// Channels of an organization: where it gets messages about alerts and finished deployments.
import type { Channel } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import list from '../../../components/list.module.css'
import { Section } from '../../../components/section.tsx'
import { Failed, Loading } from '../../../components/states.tsx'
import { RelativeTime } from '../../../components/time.tsx'
import { client } from '../../../data/client.ts'
import { missingPermission } from '../../../data/disabled-reasons.ts'
import { keys } from '../../../data/keys.ts'
import { useTopics } from '../../../data/live.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import type { Appearance } from '../../../status/appearance.ts'
import { NamedStatusIcon } from '../../../status/status-icon.tsx'
import { CHANNEL_NAMES, describeEvents, targetOf } from '../../../text/channel.ts'
import { ChannelDialog } from './channel-dialog.tsx'
import styles from './channels.module.css'
import { NewChannel } from './new-channel.tsx'

export function ChannelsSettings({ organizationId }: { readonly organizationId: number }) {
  const { me } = useCurrentPage()
  const disabledReason = missingPermission('administer', { me, organizationId })
  const isAllowed = disabledReason === undefined
  useTopics([`organization:${organizationId}`])
  const query = useQuery({
    queryKey: keys.channels(organizationId),
    queryFn: ({ signal }) => client.listChannels({ params: { id: organizationId }, signal }),
    enabled: isAllowed,
  })
  const [isMaking, setMaking] = useState(false)
  const [openId, setOpenId] = useState<number>()
  return (
    <Section
      title="Channels"
      about="Alerts go to mail, Slack, Discord, Telegram, ntfy or a webhook. Owners and administrators also get mails about servers, certificates and backups without a channel."
    >
      <div className="stack">
        {isAllowed ? (
          <Channels channels={query.data} error={query.error} onRetry={() => void query.refetch()} onOpen={setOpenId} />
        ) : (
          <p className="small quiet">Only administrators can see and change channels.</p>
        )}
        <div>
          <Button isSmall disabledReason={disabledReason} onClick={() => setMaking(true)}>
            Add channel…
          </Button>
        </div>
      </div>
      <NewChannel organizationId={organizationId} isOpen={isMaking} onClose={() => setMaking(false)} />
      <ChannelDialog channel={query.data?.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
    </Section>
  )
}

type ChannelsProps = {
  readonly channels: readonly Channel[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly onOpen: (id: number) => void
}

function Channels({ channels, error, onRetry, onOpen }: ChannelsProps) {
  if (channels === undefined)
    return error ? <Failed error={error} onRetry={onRetry} /> : <Loading rows={1} what="Loading channels" />
  if (channels.length === 0)
    return <p className="small quiet">No channels yet. Add one to get alerts where your team reads.</p>
  return (
    <ul className={`${list.list} ${list.still} ${styles.channels}`}>
      {channels.map((channel) => (
        <li key={channel.id}>
          <Row channel={channel} onOpen={() => onOpen(channel.id)} />
        </li>
      ))}
    </ul>
  )
}

function Row({ channel, onOpen }: { readonly channel: Channel; readonly onOpen: () => void }) {
  const { name, type, last_delivery: last, enabled } = channel
  return (
    <div className={list.line}>
      <NamedStatusIcon appearance={channelAppearance(channel)} />
      <div>
        <div className="cut strong" title={name}>
          {name}
        </div>
        <div className="small quiet cut">
          {CHANNEL_NAMES[type]} · {targetOf(channel)}
        </div>
        <div className="small quiet">{enabled ? describeEvents(channel) : 'Turned off'}</div>
        {last === null ? undefined : (
          <div className={last.status === 'succeeded' ? 'small quiet' : 'small bad'}>
            {last.message} (<RelativeTime at={last.at} />)
            {last.status === 'retrying' ? '. Shipway tries again.' : undefined}
          </div>
        )}
      </div>
      <Button isSmall aria-label={`Open the channel ${name}`} onClick={onOpen}>
        Open…
      </Button>
    </div>
  )
}

function channelAppearance({ enabled, last_delivery: last }: Channel): Appearance {
  if (!enabled) return { shape: 'dash', label: 'Turned off', tone: 'quiet' }
  if (last !== null && last.status !== 'succeeded') return { shape: 'octagon', label: 'Failing', tone: 'bad' }
  return { shape: 'disc', label: 'On', tone: 'good' }
}
