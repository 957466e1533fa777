import { describe, expect, test } from 'vitest'
import { createOutputThrottle } from './output-throttle.ts'

/** Each may print 100 bytes at once and one in each millisecond; floods come in at ten. Time goes by while somebody waits, or by hand. */
function stage() {
  let now = 1000
  const time = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  const gate = createOutputThrottle({ burstBytes: 100, refillBytesPerMs: 1, floodBytesPerMs: 10, requestWindowMs: 50 }, time)
  /** Whoever prints, by how long its bytes waited. */
  const enter = () => {
    const letIn = gate.openStream()
    return async (bytes: number): Promise<number> => {
      const before = now
      await letIn(bytes)
      return now - before
    }
  }
  return {
    gate,
    enter,
    goBy: (ms: number) => {
      now += ms
    },
  }
}

describe('while somebody asks', () => {
  test('what is printed at once passes, and a flood is let in slowly after that', async () => {
    const { gate, enter } = stage()
    const letIn = enter()
    gate.noteRequest()
    expect(await letIn(60)).toBe(0)
    expect(await letIn(40)).toBe(0)
    expect(await letIn(100)).toBe(10)
    expect(await letIn(250)).toBe(25)
  })

  test('whoever falls silent may print at once again, no more than at the beginning', async () => {
    const { gate, enter, goBy } = stage()
    const letIn = enter()
    gate.noteRequest()
    expect(await letIn(100)).toBe(0)
    goBy(40)
    gate.noteRequest()
    expect(await letIn(40)).toBe(0)
    expect(await letIn(20)).toBe(2)
    goBy(10_000)
    gate.noteRequest()
    expect(await letIn(100)).toBe(0)
    expect(await letIn(20)).toBe(2)
  })

  test('floods share their pace in the order in which they came, and whoever prints little waits for none of them', async () => {
    const waits: number[] = []
    const sleep = async (ms: number) => waits.push(ms)
    const gate = createOutputThrottle(
      { burstBytes: 10, refillBytesPerMs: 1, floodBytesPerMs: 1, requestWindowMs: 50 },
      { now: () => 0, sleep },
    )
    gate.noteRequest()
    const floods = [gate.openStream(), gate.openStream(), gate.openStream()]
    await Promise.all(floods.map((letIn) => letIn(11)))
    expect(waits).toEqual([11, 22, 33])
    await gate.openStream()(10)
    expect(waits).toHaveLength(3)
  })
})

describe('while nobody asks', () => {
  test('everything passes as it comes', async () => {
    const { enter } = stage()
    const letIn = enter()
    for (let piece = 0; piece < 50; piece++) expect(await letIn(1000)).toBe(0)
  })

  test('what came in then is not made up for when somebody asks', async () => {
    const { gate, enter } = stage()
    const letIn = enter()
    await letIn(1_000_000)
    gate.noteRequest()
    expect(await letIn(100)).toBe(10)
  })

  test('a flood goes on as it comes once the last request is a moment ago', async () => {
    const { gate, enter, goBy } = stage()
    const letIn = enter()
    gate.noteRequest()
    expect(await letIn(200)).toBe(20)
    goBy(50)
    expect(await letIn(1000)).toBe(0)
  })
})
