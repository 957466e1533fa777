// The state of a webhook, and its events, in a few words.
import type { Hook, HookEvent } from '@shipway/api'
import { ago } from '../terminal/times.ts'

export const EVENTS = [
  'deployment.succeeded',
  'deployment.failed',
  'environment.created',
  'environment.removed',
] as const satisfies readonly HookEvent[]

export function webhookState({ enabled, disabled_reason: reason, failing_since: since }: Hook): string {
  if (enabled) return since === null ? 'on' : `failing since ${ago(since)}`
  if (reason === null) return 'off'
  return reason === 'gone' ? 'off: the receiver answered 410' : 'off: nothing arrived for three days'
}
