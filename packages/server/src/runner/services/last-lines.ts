// What a service that does not work printed last, with everything hidden in it that nobody may read.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { readLastOutput } from '../../recipes/services/inspect-containers.ts'
import type { Host } from '../../remote/host.ts'
import type { Mask } from '../../secrets/mask.ts'
import { openMask } from '../open-secrets.ts'

const SHOWN_BYTES = 4096
const SHOWN_LINES = 50
/** Hidden in one go; requests come in between. */
const PIECE_BYTES = 16 * 1024

type Printed = {
  readonly environment: { readonly id: number; readonly projectId: number; readonly isFork: boolean }
  readonly containerId: string
}

export async function lastLinesOf(
  ctx: Context,
  host: Host,
  { environment, containerId }: Printed,
): Promise<string | null> {
  const printed = await readLastOutput(host, containerId)
  const hidden = await hideIn(printed, await openMask(ctx, environment))
  const end = hidden.subarray(-SHOWN_BYTES).toString()
  // Half a character, or half a line.
  const whole = hidden.length > SHOWN_BYTES ? end.slice(end.indexOf('\n') + 1) : end
  const lines = whole.replaceAll('\0', '').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')
  return lines === '' ? null : lines
}

async function hideIn(printed: Buffer, mask: Mask): Promise<Buffer> {
  const stream = mask.stream()
  const pieces: Buffer[] = []
  for (let from = 0; from < printed.length; from += PIECE_BYTES) {
    pieces.push(...stream.write(printed.subarray(from, from + PIECE_BYTES)).map(({ bytes }) => bytes))
    await nextTurn()
  }
  return Buffer.concat([...pieces, ...stream.end().map(({ bytes }) => bytes)])
}
