// Reads the last lines of a failing service, with secrets masked.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LastOutput } from '../../../runtimes/service-inspection.ts'
import type { Mask, MaskedPiece } from '../../../secrets/mask.ts'

const SHOWN_BYTES = 4096
const SHOWN_LINES = 50
/** Masked in one turn; requests are served in between. */
const PIECE_BYTES = 16 * 1024

export async function lastLinesOf(output: LastOutput, mask: Mask): Promise<string | null> {
  const hidden = await maskOutput(output, mask)
  const end = hidden.subarray(-SHOWN_BYTES).toString()
  // The cut may have split a character or a line.
  const whole = hidden.length > SHOWN_BYTES ? end.slice(end.indexOf('\n') + 1) : end
  const lines = whole.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')
  return lines === '' ? null : lines
}

/** PostgreSQL stores no zero bytes. They are removed before masking, or they could split a secret so that the mask misses it. */
async function maskOutput({ printed, unsureBytes }: LastOutput, mask: Mask): Promise<Buffer> {
  const stream = mask.stream()
  const pieces: Buffer[] = []
  let unsure = unsureBytes
  const keep = ({ bytes, readBytes, isHidden }: MaskedPiece): void => {
    if (unsure <= 0) pieces.push(bytes)
    else if (!isHidden) pieces.push(bytes.subarray(unsure))
    unsure -= readBytes
  }
  for (let from = 0; from < printed.length; from += PIECE_BYTES) {
    const piece = printed.subarray(from, from + PIECE_BYTES).filter((byte) => byte !== 0)
    stream.write(Buffer.from(piece)).forEach(keep)
    await nextTurn()
  }
  stream.end().forEach(keep)
  return Buffer.concat(pieces)
}
