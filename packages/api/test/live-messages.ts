// Messages of the live channel, as short as the contract lets them be.
import type { LiveEvent, LiveTopic } from '../src/live.ts'

const AT = '2026-01-31T12:00:00Z'

/** An event with a number; `id` distinguishes those of one number. */
export const event = (topic: LiveTopic, seq: number, id = seq): LiveEvent => ({
  type: 'event',
  topic,
  seq,
  event: 'project.deleted',
  at: AT,
  data: { id },
})

/** Output that ends at a byte. */
export const output = (topic: LiveTopic, offset: number, text: string): LiveEvent => ({
  type: 'event',
  topic,
  seq: offset,
  event: 'log.append',
  at: AT,
  data: { task_id: 7, offset, text },
})
