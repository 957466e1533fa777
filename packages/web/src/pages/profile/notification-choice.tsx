// Setting: browser notifications about ended deployments.
import { Checkbox } from '../../components/form.tsx'
import { NOTIFICATIONS_BLOCKED } from '../../components/notify-button.tsx'
import { Section } from '../../components/section.tsx'
import { turnOffNotifications, turnOnNotifications, useNotificationState } from '../../data/notifications.ts'

export function NotificationChoice() {
  const state = useNotificationState()
  const isPossible = state === 'on' || state === 'off'
  return (
    <Section title="Notifications" about="Saved in this browser.">
      <Checkbox
        label="Notify me when a deployment ends"
        hint={
          state === 'unsupported'
            ? 'This browser has no notifications here. Most offer them on https pages only.'
            : state === 'blocked'
              ? `${NOTIFICATIONS_BLOCKED}.`
              : 'While its page is open in a tab that is not in front. The browser asks for its permission first.'
        }
        checked={state === 'on'}
        disabled={!isPossible}
        onChange={({ target }) => (target.checked ? void turnOnNotifications() : turnOffNotifications())}
      />
    </Section>
  )
}
