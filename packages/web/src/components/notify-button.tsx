// Turns browser notifications about ended deployments on or off, in this browser.
import { BellPlus, BellRing } from 'lucide-react'
import { turnOffNotifications, turnOnNotifications, useNotificationState } from '../data/notifications.ts'
import { Button } from './button.tsx'

const icon = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const

export const NOTIFICATIONS_BLOCKED = 'Notifications are blocked. Allow them for this site in the browser first'

/** Only where the browser has notifications. */
export function NotifyButton() {
  const state = useNotificationState()
  if (state === 'unsupported') return null
  const isOn = state === 'on'
  const words = isOn ? 'You get a notification when it ends' : 'Notify me when it ends'
  return (
    <Button
      isIcon
      aria-label={words}
      aria-pressed={isOn}
      title={words}
      disabledReason={state === 'blocked' ? NOTIFICATIONS_BLOCKED : undefined}
      onClick={() => (isOn ? turnOffNotifications() : void turnOnNotifications())}
    >
      {isOn ? <BellRing {...icon} /> : <BellPlus {...icon} />}
    </Button>
  )
}
