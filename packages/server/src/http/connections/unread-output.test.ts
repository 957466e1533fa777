import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { get, openSilent, readRest, serveInFront } from '../../../test/stage/front.ts'
import { type CutReason, UNREAD_LIMITS, type UnreadConnection, UnreadOutput } from './unread-output.ts'

const KIB = 1024
const MIB = 1024 * KIB

class Reader implements UnreadConnection {
  readonly client: string
  unread: number
  flushed = 0
  reason: CutReason | undefined

  constructor(client: string, unread = MIB) {
    this.client = client
    this.unread = unread
  }

  read(bytes: number): void {
    this.flushed += bytes
  }

  cut(reason: CutReason): void {
    this.reason = reason
  }
}

describe('what clients do not read', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  const limits = { perClient: 3.5 * MIB, inAll: 6.5 * MIB, stallMs: 60_000 }
  const notedBy = (output: UnreadOutput, readers: readonly Reader[]): void => {
    for (const reader of readers) output.note(reader)
  }

  test('the connection of a client that has waited longest for its reader is closed when there is too much', () => {
    const output = new UnreadOutput(limits)
    const readers = ['a', 'a', 'a', 'b'].map((client) => new Reader(client))
    notedBy(output, readers)
    readers[0]?.read(1)
    notedBy(output, readers)
    output.note(new Reader('a'))
    expect(readers.map(({ reason }) => reason)).toEqual([undefined, 'too much for one client', undefined, undefined])
  })

  test('a connection to which more is written while its client does not read is no later in the order', () => {
    const output = new UnreadOutput(limits)
    const readers = ['a', 'a', 'a'].map((client) => new Reader(client))
    notedBy(output, readers)
    for (const reader of readers.slice(0, 1)) {
      reader.unread += 1
      output.note(reader)
    }
    output.note(new Reader('a'))
    expect(readers.map(({ reason }) => reason)).toEqual(['too much for one client', undefined, undefined])
  })

  test('no client can take what all have together', () => {
    const output = new UnreadOutput(limits)
    const readers = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((client) => new Reader(client))
    notedBy(output, readers)
    expect(readers.map(({ reason }) => reason)).toEqual([
      'too much in all',
      'too much in all',
      ...Array(6).fill(undefined),
    ])
  })

  test('one answer that is larger than the limit can be read', () => {
    const output = new UnreadOutput(limits)
    const reader = new Reader('a', 100 * MIB)
    output.note(reader)
    expect(reader.reason).toBeUndefined()
  })

  test('a client that reads nothing for a minute is closed, one that reads a little is not', () => {
    const output = new UnreadOutput(limits)
    const [silent, slow, done] = [new Reader('a'), new Reader('a'), new Reader('a')]
    notedBy(output, [silent, slow, done])
    done.unread = 0
    output.note(done)
    for (let second = 0; second < 90; second++) {
      if (second % 50 === 0) slow.read(1)
      vi.advanceTimersByTime(1000)
    }
    expect([silent, slow, done].map(({ reason }) => reason)).toEqual(['stalled', undefined, undefined])
    vi.advanceTimersByTime(60_000)
    expect(slow.reason).toBe('stalled')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a connection that is watched is counted without being noted', () => {
    const output = new UnreadOutput(limits)
    const [quiet, silent] = [new Reader('a', 0), new Reader('b')]
    output.watch(quiet)
    output.watch(silent)
    vi.advanceTimersByTime(90_000)
    expect([quiet.reason, silent.reason]).toEqual([undefined, 'stalled'])
    for (const reader of [quiet, silent]) output.forget(reader)
    vi.advanceTimersByTime(1000)
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('clients that do not read lose their connections, one that reads late gets all of it', async () => {
  const body = Buffer.alloc(16 * MIB, 7)
  const clients: string[] = []
  const front = await serveInFront((_req, res) => res.end(Buffer.from(body)), {
    unreadLimits: { ...UNREAD_LIMITS, perClient: 40 * MIB, inAll: 64 * MIB },
    onCut: (_reason, client) => clients.push(client),
  })
  const late = await openSilent(front.port, `${get('/').slice(0, -2)}Connection: close\r\n\r\n`, '127.0.0.2')
  const silent = await Promise.all(Array.from({ length: 6 }, () => openSilent(front.port, get('/'))))
  await expect.poll(() => clients).toEqual(Array(4).fill('127.0.0.1'))
  const received = await readRest(late.resume())
  expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(body.length)
  for (const socket of silent) socket.destroy()
  await front.close()
})
