// Browser notifications: off until the user turns them on here. The browser asks for its permission only then.
import { observable } from './observable.ts'

const KEY = 'shipway.notifications'

type NotificationState = 'off' | 'on' | 'blocked' | 'unsupported'

const state = observable<NotificationState>(readState())

export const useNotificationState = state.use

function readState(): NotificationState {
  // Browsers offer notifications on secure pages alone.
  if (!('Notification' in window) || !isSecureContext) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off'
}

/** Only from a click of the user. */
export async function turnOnNotifications(): Promise<void> {
  if (readState() === 'unsupported') return
  if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(KEY, 'on')
  state.set(readState())
}

export function turnOffNotifications(): void {
  localStorage.removeItem(KEY)
  state.set(readState())
}

type Message = { readonly title: string; readonly body: string; readonly tag: string; readonly path: string }

/** A notification with the same tag is replaced, so that several tabs show one. */
export function notify({ title, body, tag, path }: Message): void {
  if (readState() !== 'on') return
  const notification = show(title, { body, tag })
  if (notification === undefined) return
  notification.onclick = () => {
    window.focus()
    notification.close()
    if (location.pathname !== path) location.assign(path)
  }
}

/** Chrome on Android asks for the permission, but lets only service workers show notifications. */
function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    turnOffNotifications()
    return undefined
  }
}
