// Tells a reader what a task prints, from one byte on: each byte once and in order, however slowly it reads.
import { setTimeout as wait } from 'node:timers/promises'
import type { LiveTopic } from '@shipway/api/live'
import { createSignal } from '../../scheduling/signal.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import type { SocketWriter } from './socket-writer.ts'
import { PIECE_BYTES, type TaskLog } from './task-logs.ts'

/** Whoever is further behind is told so. */
const LAG_BYTES = 256 * 1024
/** For what another process could not tell. A task that has ended prints nothing more. */
const LOOK_MS = 2_000
/** Between two pieces: a flood of output is nothing that anybody reads along, and leaves time for others. */
const PACE_MS = 20

type Following = {
  readonly topic: LiveTopic
  readonly log: TaskLog
  readonly from: number
  readonly writer: SocketWriter
  readonly signal: AbortSignal
}

export async function followOutput({ topic, log, from, writer, signal }: Following): Promise<void> {
  const changed = createSignal()
  const endListening = log.listen(changed.fire)
  let place = from
  let isLagging = false
  try {
    while (!signal.aborted) {
      changed.forget()
      // The signal fires in the turn of the event loop in which the output was written: requests go between that and its reading.
      await yieldToRequests()
      const length = await log.length()
      const behind = length.bytes - place
      if (behind > LAG_BYTES && !isLagging) writer.send({ type: 'lagged', topic, seq: place, to: length.bytes })
      isLagging = behind > LAG_BYTES || (isLagging && behind > 0)
      const piece = behind > 0 ? await log.piece(place, length) : undefined
      if (piece) {
        await writer.sendInTurn(piece.message, signal)
        place = piece.to
        if (piece.message.length >= PIECE_BYTES) await wait(PACE_MS)
      } else await changed.next(signal, length.isOver ? undefined : LOOK_MS)
    }
  } finally {
    endListening()
  }
}
