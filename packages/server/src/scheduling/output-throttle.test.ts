import { describe, expect, test } from 'vitest'
import { createOutputThrottle } from './output-throttle.ts'

/** Each stream has a burst of 100 bytes and refills one byte per millisecond; floods share ten. Time passes by `sleep` and `advance`. */
function stage() {
  let now = 1000
  const time = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  const throttle = createOutputThrottle(
    { burstBytes: 100, refillBytesPerMs: 1, floodBytesPerMs: 10, requestWindowMs: 50 },
    time,
  )
  /** A stream that returns how long its bytes waited. */
  const openStream = () => {
    const admit = throttle.openStream()
    return async (bytes: number): Promise<number> => {
      const before = now
      await admit(bytes)
      return now - before
    }
  }
  return {
    throttle,
    openStream,
    advance: (ms: number) => {
      now += ms
    },
  }
}

describe('while requests come in', () => {
  test('a burst passes, and a flood is throttled after that', async () => {
    const { throttle, openStream } = stage()
    const admit = openStream()
    throttle.noteRequest()
    expect(await admit(60)).toBe(0)
    expect(await admit(40)).toBe(0)
    expect(await admit(100)).toBe(10)
    expect(await admit(250)).toBe(25)
  })

  test('a silent stream regains its burst, and no more', async () => {
    const { throttle, openStream, advance } = stage()
    const admit = openStream()
    throttle.noteRequest()
    expect(await admit(100)).toBe(0)
    advance(40)
    throttle.noteRequest()
    expect(await admit(40)).toBe(0)
    expect(await admit(20)).toBe(2)
    advance(10_000)
    throttle.noteRequest()
    expect(await admit(100)).toBe(0)
    expect(await admit(20)).toBe(2)
  })

  test('floods share one rate in order, and ordinary output waits for none of them', async () => {
    const waits: number[] = []
    const sleep = async (ms: number) => waits.push(ms)
    const throttle = createOutputThrottle(
      { burstBytes: 10, refillBytesPerMs: 1, floodBytesPerMs: 1, requestWindowMs: 50 },
      { now: () => 0, sleep },
    )
    throttle.noteRequest()
    const floods = [throttle.openStream(), throttle.openStream(), throttle.openStream()]
    await Promise.all(floods.map((admit) => admit(11)))
    expect(waits).toEqual([11, 22, 33])
    await throttle.openStream()(10)
    expect(waits).toHaveLength(3)
  })
})

describe('without requests', () => {
  test('nothing is throttled', async () => {
    const { openStream } = stage()
    const admit = openStream()
    for (let piece = 0; piece < 50; piece++) expect(await admit(1000)).toBe(0)
  })

  test('earlier output does not count when requests begin', async () => {
    const { throttle, openStream } = stage()
    const admit = openStream()
    await admit(1_000_000)
    throttle.noteRequest()
    expect(await admit(100)).toBe(10)
  })

  test('a flood is no longer throttled once the last request is long enough ago', async () => {
    const { throttle, openStream, advance } = stage()
    const admit = openStream()
    throttle.noteRequest()
    expect(await admit(200)).toBe(20)
    advance(50)
    expect(await admit(1000)).toBe(0)
  })
})
