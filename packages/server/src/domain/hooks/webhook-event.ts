// Something that receivers of webhooks are told of: which records to look at, not what they say.
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
