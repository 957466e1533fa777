// A message to channels: written with the change that it reports, put into the words of each type when it is sent.
import { ChannelEvent } from '@shipway/api/channels'
import { AlertSeverity } from '@shipway/api/oversight/alerts'
import { z } from 'zod'

export const ChannelMessage = z.object({
  event: z.enum([...ChannelEvent.options, 'channel.test']),
  /** Null for what is no alert. */
  severity: AlertSeverity.nullable(),
  /** Constant words: no user text can speak for the platform. */
  title: z.string(),
  /** May hold user text: names, commit messages, errors. */
  text: z.string(),
  /** A path of the dashboard. */
  page: z.string(),
  at: z.number(),
  /** For programs: the data of a webhook. */
  data: z.record(z.string(), z.unknown()),
})
export type ChannelMessage = z.infer<typeof ChannelMessage>

/** Twice as long with every sign escaped, it still fits into the 2,000 characters of Discord. */
const MOST_CHARACTERS = 700

/** On one line each, without what would move or hide other text, and short enough for every receiver. */
export function plainText(text: string): string {
  const shown = text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
    .trim()
  return shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS).toWellFormed()}…` : shown
}
