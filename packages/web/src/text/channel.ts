// Names of channel types and their events, and where a channel leads.
import type { Channel, ChannelEvent, ChannelType } from '@shipway/api'

export const CHANNEL_NAMES: Readonly<Record<ChannelType, string>> = {
  mail: 'Mail',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  webhook: 'Webhook',
}

export const EVENT_NAMES: Readonly<Record<ChannelEvent, string>> = {
  'alert.opened': 'An alert opens',
  'alert.resolved': 'An alert is resolved',
  'deployment.succeeded': 'A deployment succeeds',
  'deployment.failed': 'A deployment fails',
}

/** Of the address only the host is known. */
export const targetOf = ({ host, recipient }: Pick<Channel, 'host' | 'recipient'>): string => recipient ?? host ?? ''

export function describeEvents({ events, severities }: Pick<Channel, 'events' | 'severities'>): string {
  const hasAlerts = events.some((event) => event.startsWith('alert.'))
  const [only, another] = severities
  const alerts = another === undefined ? `${only} alerts` : 'alerts'
  const parts = [
    ...(hasAlerts ? [alerts] : []),
    ...(events.includes('deployment.succeeded') && events.includes('deployment.failed')
      ? ['finished deployments']
      : events.flatMap((event) =>
          event === 'deployment.failed'
            ? ['failed deployments']
            : event === 'deployment.succeeded'
              ? ['successful deployments']
              : [],
        )),
  ]
  const words = parts.join(' and ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
