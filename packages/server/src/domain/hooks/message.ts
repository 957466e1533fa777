// The body of a webhook message, in the form that Standard Webhooks recommends.
import type { HookDelivery } from '@shipway/api/hooks'

type Message = { readonly type: HookDelivery['event']; readonly at: number; readonly data: object }

export const messageText = ({ type, at, data }: Message): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
