// Sends a reader what a task prints, and says so where the reader is far behind.
import { setTimeout as wait } from 'node:timers/promises'
import type { LiveTopic } from '@shipway/api/live'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { followOutput } from '../logs/follow-output.ts'
import type { OutputPiece, SharedOutput } from '../logs/shared-output.ts'
import { encode } from './descriptions.ts'
import type { SocketWriter } from './socket-writer.ts'

/** A reader that is further behind gets a message that says so. */
const LAG_BYTES = 256 * 1024
/** After a large piece: no user reads a flood of output line by line, and other requests need the time. */
const PACE_MS = 20
const LARGE_BYTES = 32 * 1024

type LogRequest = {
  readonly topic: LiveTopic
  readonly output: SharedOutput
  readonly from: number
  readonly writer: SocketWriter
  readonly signal: AbortSignal
}

export async function sendLog({ topic, output, from, writer, signal }: LogRequest): Promise<void> {
  let place = from
  let isLagging = false
  for await (const { piece, length } of followOutput(output, { from, signal })) {
    const behind = length.bytes - place
    if (behind > LAG_BYTES && !isLagging) writer.send({ type: 'lagged', topic, seq: place, to: length.bytes })
    isLagging = behind > LAG_BYTES || (isLagging && behind > 0)
    if (!piece) continue
    // Reading was one piece of work, writing it as JSON is another.
    await yieldToRequests()
    const message = messageOf(piece, topic)
    await writer.sendInTurn(message, signal)
    place = piece.to
    if (message.length >= LARGE_BYTES) await wait(PACE_MS)
  }
}

/** Readers of the same piece share its message. */
const messages = new WeakMap<OutputPiece, Buffer>()

function messageOf(piece: OutputPiece, topic: LiveTopic): Buffer {
  const known = messages.get(piece)
  if (known) return known
  const data = { task_id: piece.taskId, offset: piece.to, text: piece.bytes.toString('utf8') }
  const message = encode({ event: 'log.append', data }, topic, { seq: piece.to, at: piece.readAt })
  messages.set(piece, message)
  return message
}
