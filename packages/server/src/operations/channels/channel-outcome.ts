// A message on its way to a channel, and what came of it.
import type { ChannelMessage } from '../../domain/channels/channel-message.ts'

export type SentMessage = { readonly key: string; readonly message: ChannelMessage }

export type ChannelOutcome = {
  readonly isDelivered: boolean
  /** For people. */
  readonly sentence: string
  readonly status: number | null
  /** The beginning of what the receiver answered. */
  readonly text: string | null
  readonly retryAfterMs: number
  /** A retry would change nothing. */
  readonly isFinal: boolean
}
