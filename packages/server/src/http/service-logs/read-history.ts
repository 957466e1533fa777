// The lines that are there already, for one reader. A reader that takes none for a while gives up its process, and gets the rest from
// another one when it reads again: others wait for a place.
import type { OutputLine } from '@shipway/api/live'
import type { SeenLines } from '@shipway/api/live-client/seen-lines'
import { jitteredBackOff } from '../../scheduling/back-off.ts'
import { outputThrottle } from '../../scheduling/output-throttle.ts'
import { createSignal } from '../../scheduling/signal.ts'
import { type EnvironmentOutput, GONE } from './environment-output.ts'
import { LineReader, type RawLine } from './line-reader.ts'
import type { Fault, OutputReader } from './output-reader.ts'

type HistoryRequest = {
  readonly seen: SeenLines
  /** The place that the reader resumes from, in microseconds. */
  readonly from: number | undefined
  readonly signal: AbortSignal
  send(lines: readonly OutputLine[]): Promise<void>
}

const STALLED_MS = 10_000
const RETRY = { firstMs: 1_000, mostMs: 30_000 }

export async function readHistory(
  reader: OutputReader,
  output: EnvironmentOutput,
  request: HistoryRequest,
): Promise<Fault | undefined> {
  const { seen, signal } = request
  const retry = createSignal()
  let { from } = request
  for (let failures = 0; !signal.aborted; ) {
    seen.beginConnection()
    const server = await output.findServer()
    if (!server) return faultOf('not_found', GONE)
    const stalled = new AbortController()
    const either = AbortSignal.any([signal, stalled.signal])
    const intake = openIntake(output, request, () => stalled.abort())
    const selection = selectionOf(reader, from)
    const end = await reader.ctx.serviceLogs.read(server, output.environmentId, {
      ...selection,
      signal: either,
      onOutput: intake.add,
    })
    await intake.close()
    if (signal.aborted || end.kind === 'complete') return undefined
    from = seen.resumeFrom === undefined ? from : seen.resumeFrom * 1_000_000
    if (stalled.signal.aborted) continue
    if (end.kind === 'no_service') return from === undefined ? noService(end.detail) : undefined
    const isWorthWaiting = from !== undefined && end.kind !== 'failed'
    const detail = 'detail' in end ? await output.maskText(end.detail) : ''
    if (!isWorthWaiting) return faultOf(end.kind === 'failed' ? 'logs_not_read' : 'server_unreachable', detail)
    await retry.next(signal, jitteredBackOff(++failures, RETRY))
  }
  return undefined
}

function selectionOf({ options }: OutputReader, from: number | undefined) {
  const { services, until, since, tail } = options
  const place =
    from === undefined ? { since: secondsOf(since), tail } : { since: Math.floor(from / 1_000_000), isResumed: true }
  return { services, until: secondsOf(until), ...place }
}

const secondsOf = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Math.min(Math.max(0, Math.floor(Date.parse(time) / 1000)), LATEST_SECOND)

/** The program takes ten digits. */
const LATEST_SECOND = 9_999_999_999

function openIntake(output: EnvironmentOutput, { seen, send }: HistoryRequest, onStalled: () => void) {
  const reader = new LineReader()
  const admit = outputThrottle.openStream()
  /** One after the other, also after the process was given up. */
  let sent: Promise<void> = Promise.resolve()
  const take = (lines: readonly RawLine[]): Promise<void> => {
    sent = sent.then(async () => send((await output.mask(lines)).filter((line) => seen.add(line))))
    return sent
  }
  return {
    add: async (bytes: Buffer): Promise<void> => {
      await admit(bytes.length)
      const timer = setTimeout(onStalled, STALLED_MS)
      await take(reader.add(bytes)).finally(() => clearTimeout(timer))
    },
    close: (): Promise<void> => take(reader.flush()),
  }
}

const faultOf = (code: string, detail: string): Fault => ({ kind: 'fault', code, detail })

/** The program prints what there is on a line of its own. */
function noService(printed: string): Fault {
  const [, name = ''] = /^No service is called (.*)$/m.exec(printed) ?? []
  const [, names = ''] = /^services: (.*)$/m.exec(printed) ?? []
  const known = names.split(' ').filter(Boolean)
  const have = known.length === 0 ? 'None has printed anything yet' : `There are ${known.join(', ')}`
  return { ...faultOf('service_not_found', `No service is called ${name}. ${have}`), known }
}
