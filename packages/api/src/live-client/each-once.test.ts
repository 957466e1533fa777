// Whatever the connection and the reader do: each message and each byte of output once, and in order.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { event, output } from '../../test/live-messages.ts'
import { LivePlatform, type PlatformConnection } from '../../test/live-platform.ts'
import { LiveReader } from '../../test/live-reader.ts'
import type { LiveEvent } from '../live.ts'

let platform: LivePlatform
beforeAll(async () => {
  platform = await LivePlatform.start()
})
afterAll(() => platform.stop())

const TASK = 'task:7'
const LOG = 'task:7:log'
const RUNS = Number(process.env.RUNS ?? 30)

/** How many messages have each number, from 1 on. */
const History = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 })
const Script = fc.record({
  history: History,
  log: fc.array(fc.constantFrom('a', '\n', 'ä', '€', '🚀', '\ufeff', '\ufffd'), { maxLength: 40 }),
  /** After how many messages a connection breaks; when all are used up it lasts. */
  cuts: fc.array(fc.record({ after: fc.integer({ min: 0, max: 12 }), isSaid: fc.boolean() }), { maxLength: 8 }),
  /** How many characters of the log stand in a piece. */
  pieces: fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
  /** Whether the log is next where both have something to tell. */
  isLogNext: fc.infiniteStream(fc.boolean()),
  /** Something between the messages that must not count. */
  noise: fc.infiniteStream(fc.constantFrom(undefined, undefined, undefined, '{', '{"type":"moon"}', 'again')),
  includesNewest: fc.boolean(),
  /** How many turns of the event loop the reader takes for a message. */
  turns: fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 7)),
  mostMessages: fc.integer({ min: 10, max: 40 }),
})
type Script = typeof Script extends fc.Arbitrary<infer Value> ? Value : never

test('a reader that is cut off anywhere sees each message and each byte once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(Script, async (script) => {
      const events = script.history.flatMap((count, index) =>
        Array.from({ length: count }, (_, place) => event(TASK, index + 1, place + 1)),
      )
      const text = script.log.join('')
      const topics = [TASK, LOG].map((topic) => ({ topic, since: { epoch: 'e1', seq: 0 } }))
      const { mostMessages } = script
      const reader = new LiveReader({ baseUrl: platform.baseUrl }, { topics }, { mostMessages })
      const over = new AbortController()
      const played = play(script, { events, text, over: over.signal })
      const seen: LiveEvent[] = []
      let seenText = ''
      while (seen.length < events.length || seenText.length < text.length) {
        const message = await reader.nextOf('event')
        if (message.event === 'log.append') seenText += message.data.text
        else seen.push(message)
        for (let turns = script.turns.next().value ?? 0; turns > 0; turns--) await setImmediate()
      }
      over.abort()
      await reader.leave()
      await played
      expect(seen).toEqual(events)
      expect(seenText).toBe(text)
    }),
    { numRuns: RUNS },
  )
})

type Stream = { readonly events: readonly LiveEvent[]; readonly text: string; readonly over: AbortSignal }

/** Serves one connection after the other until the reader has everything. */
async function play(script: Script, stream: Stream): Promise<void> {
  const isOver = new Promise<undefined>((resolve) => {
    stream.over.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const cuts = [...script.cuts]
  for (;;) {
    const connection = await platform.connectionUnless(isOver)
    if (!connection) return
    await serve(connection, script, { ...stream, cut: cuts.shift() })
  }
}

type Serving = Stream & { readonly cut: Script['cuts'][number] | undefined }

async function serve(connection: PlatformConnection, script: Script, { events, text, cut, over }: Serving) {
  const newest = events.at(-1)?.seq ?? 0
  const task = await connection.confirmUnlessClosed(script.includesNewest ? { seq: newest } : {})
  const log = await connection.confirmUnlessClosed()
  if (!task || !log) return
  const messages = merged(
    events.filter(({ seq }) => seq > (task.since?.seq ?? 0)),
    outputFrom(text, log.since?.seq ?? 0, script.pieces),
    script.isLogNext,
  )
  const sent: LiveEvent[] = []
  for (const message of messages) {
    if (cut && sent.length === cut.after) break
    connection.send(message)
    sent.push(message)
    const noise = script.noise.next().value
    if (noise) connection.send(noise === 'again' ? message : noise)
    // Lets the reader come in between.
    await setImmediate()
  }
  if (cut?.isSaid) connection.close(1012)
  else if (cut) connection.cut()
  else if (over.aborted) connection.close(1000)
  await connection.closed
}

/** Pieces end between characters, as those of the platform do. */
function* outputFrom(text: string, from: number, pieces: Iterator<number>): Generator<LiveEvent> {
  const bytes = Buffer.from(text)
  const characters = [...bytes.subarray(from).toString('utf8')]
  let offset = from
  while (characters.length > 0) {
    const piece = characters.splice(0, pieces.next().value ?? 1).join('')
    offset += Buffer.byteLength(piece)
    yield output(LOG, offset, piece)
  }
}

function* merged(events: readonly LiveEvent[], log: Iterator<LiveEvent>, isLogNext: Iterator<boolean>) {
  const left = [...events]
  let piece = log.next().value
  while (left.length > 0 || piece) {
    const next = piece && (left.length === 0 || isLogNext.next().value) ? undefined : left.shift()
    if (next) yield next
    else if (piece) {
      yield piece
      piece = log.next().value
    }
  }
}
