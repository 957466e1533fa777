// Reads what a task prints, from one byte on: each byte once and in order. The next piece is read when the caller asks for it, so a slow
// reader costs no memory. The live channel and `?follow=1` both read by this.
import { createSignal } from '../../scheduling/signal.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import type { OutputLength, OutputPiece, SharedOutput } from './shared-output.ts'

/** The bus notifies at once; polling finds changes of processes whose notification was lost. */
const POLL_MS = 2_000

type FollowOptions = { readonly from: number; readonly signal: AbortSignal; readonly pollMs?: number | undefined }

/** Without a piece, the reader has everything so far; the next change or poll yields again. */
type Followed = { readonly piece: OutputPiece | undefined; readonly length: OutputLength }

/** Goes on until the signal is aborted or the caller leaves, also after the end of the task, which prints nothing more. */
export async function* followOutput(
  output: SharedOutput,
  { from, signal, pollMs = POLL_MS }: FollowOptions,
): AsyncGenerator<Followed, void> {
  const changed = createSignal()
  const endListening = output.listen(changed.fire)
  let place = from
  try {
    while (!signal.aborted) {
      changed.forget()
      // The signal fires in the turn of the event loop in which the output was written: requests go between that and its reading.
      await yieldToRequests()
      const length = await output.length()
      const piece = length.bytes > place ? await output.piece(place, length) : undefined
      yield { piece, length }
      if (piece) place = piece.to
      else await changed.next(signal, length.isOver ? undefined : pollMs)
    }
  } finally {
    endListening()
  }
}
