// An event that webhooks report. It names the records; the message is made from them.
import type { HookEvent } from '@shipway/api/hooks'

export type WebhookEvent =
  | {
      readonly event: Extract<HookEvent, `deployment.${string}`>
      readonly environmentId: number
      readonly taskId: number
      readonly at: number
    }
  | {
      readonly event: Extract<HookEvent, `environment.${string}`>
      readonly environmentId: number
      readonly at: number
    }
