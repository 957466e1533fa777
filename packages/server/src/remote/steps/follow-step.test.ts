import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { startChild } from '../../../test/processes/child.ts'
import { openWorkshop, printed, readStep, startStep, until } from '../../../test/steps.ts'
import { ConnectionLost, type Host, ServerUnreachable } from '../host.ts'
import { cancelStep } from './durable-step.ts'
import { followStep } from './follow-step.ts'

const workshop = openWorkshop()
afterAll(workshop.cleanUp)

describe.each(workshop.hosts)('with $shell as sh', ({ host }) => {
  test('following from any offset returns the rest of the output, byte for byte', async () => {
    const folder = workshop.folder()
    const bytes = randomBytes(1_000_000)
    const file = join(workshop.root, `random-${host.name}`)
    writeFileSync(file, bytes)
    await startStep(host, { folder, run: ['cat', file] })
    expect((await readStep(host, folder)).output.equals(bytes)).toBe(true)
    const offsets = [
      1,
      65_535,
      65_536,
      999_999,
      1_000_000,
      ...Array.from({ length: 5 }, () => Math.floor(Math.random() * 1e6)),
    ]
    for (const offset of offsets) {
      const { output } = await readStep(host, folder, offset)
      expect(output.equals(bytes.subarray(offset)), `from ${offset}`).toBe(true)
    }
  })

  test('output is seen while the step runs', async () => {
    const folder = workshop.folder()
    const go = join(workshop.root, `go-on-${host.name}`)
    await startStep(host, {
      folder,
      run: { script: `printf first; until [ -e '${go}' ]; do sleep 0.02; done; printf second` },
    })
    const seen: string[] = []
    const onOutput = (bytes: Buffer) => {
      seen.push(bytes.toString())
      if (seen.join('') === 'first') writeFileSync(go, '')
    }
    await followStep(host, folder, { fromOffset: 0, onOutput })
    expect(seen.join('')).toBe('firstsecond')
  })

  test('repeatedly lost connections neither lose nor repeat a byte', async () => {
    const folder = workshop.folder()
    const script = 'i=0; while [ $i -lt 2000 ]; do echo "line $i of some output"; i=$((i + 1)); done'
    await startStep(host, { folder, run: { script } })
    const { end, output } = await readStep(lossy(host, 3), folder)
    expect(end).toMatchObject({ state: 'exited', exitCode: 0 })
    expect(output.toString()).toBe(Array.from({ length: 2000 }, (_, line) => `line ${line} of some output\n`).join(''))
  })

  test('a piece in progress when a connection is lost is neither lost nor repeated', async () => {
    const folder = workshop.folder()
    await startStep(host, { folder, run: { script: 'seq 1 2000' } })
    let losses = 0
    const losing: Host = {
      ...host,
      run: (command, options = {}) =>
        new Promise((resolve, reject) => {
          let isLost = false
          const onOutput = (bytes: Buffer) => {
            if (isLost) return
            const taking = options.onOutput?.(bytes)
            isLost = bytes.includes('\n1000\n') && losses++ < 3
            if (isLost) reject(new ConnectionLost('cut'))
            return taking
          }
          host.run(command, { ...options, onOutput }).then(resolve, reject)
        }),
    }
    const seen: Buffer[] = []
    const onOutput = async (bytes: Buffer): Promise<void> => {
      await wait(100)
      seen.push(bytes)
    }
    expect(await followStep(losing, folder, { fromOffset: 0, onOutput })).toMatchObject({ exitCode: 0 })
    const whole = Array.from({ length: 2000 }, (_, index) => `${index + 1}\n`).join('')
    expect(Buffer.concat(seen).toString()).toBe(whole)
    expect(losses).toBeGreaterThan(0)
  })

  test('output that does not fit is omitted in the middle, and the offsets show where', async () => {
    const folder = workshop.folder()
    await startStep(host, { folder, run: ['seq', '1', '15000000'] })
    const gaps: number[][] = []
    let expected = 0
    let last: Buffer = Buffer.alloc(0)
    const onOutput = (bytes: Buffer, offset: number) => {
      if (offset !== expected) gaps.push([expected, offset])
      expected = offset + bytes.length
      last = bytes
    }
    const end = await followStep(host, folder, { fromOffset: 0, onOutput })
    expect(end).toEqual({ state: 'exited', exitCode: 0, total: 123_888_897 })
    expect(expected).toBe(123_888_897)
    expect(gaps).toHaveLength(1)
    const [[from = 0, to = 0] = []] = gaps
    expect(from).toBeGreaterThanOrEqual(40 * 1024 * 1024)
    expect(from).toBeLessThan(45 * 1024 * 1024)
    expect(expected - to).toBe(10 * 1024 * 1024)
    expect(last.toString()).toMatch(/\n14999999\n15000000\n$/)
  })
})

const [dash] = workshop.hosts
if (!dash) throw new Error('no shell')
const { host } = dash

test('a platform that is killed at any moment leaves a step to which the next one attaches', async () => {
  const folder = workshop.folder()
  const log = join(workshop.root, 'received')
  const script = 'echo ran >>"$COUNTER"; i=0; while [ $i -lt 300 ]; do echo "line $i"; i=$((i + 1)); sleep 0.005; done'
  const counter = join(workshop.root, 'killed-counter')
  writeFileSync(log, '')
  for (const waitFor of [0, 1, 40, 120]) {
    const platform = startChild('follow-step.ts', folder, log, script, counter)
    await platform.firstLine
    await until(() => readFileSync(log, 'utf8').split('\n').length > waitFor)
    await platform.kill()
  }
  const before = readFileSync(log)
  const { end, output } = await readStep(host, folder, before.length)
  expect(end).toMatchObject({ state: 'exited', exitCode: 0 })
  expect(`${before}${output}`).toBe(Array.from({ length: 300 }, (_, line) => `line ${line}\n`).join(''))
  expect(readFileSync(counter, 'utf8')).toBe('ran\n')
})

test('a slow consumer is waited for, and one that fails ends the following', async () => {
  const folder = workshop.folder()
  await startStep(host, { folder, run: ['seq', '1', '1000000'] })
  let open = 0
  let bytesTaken = 0
  const onOutput = async (bytes: Buffer) => {
    open += 1
    expect(open).toBe(1)
    await new Promise((done) => setImmediate(done))
    bytesTaken += bytes.length
    open -= 1
  }
  expect(await followStep(host, folder, { fromOffset: 0, onOutput })).toMatchObject({ total: bytesTaken })
  const failing = () => Promise.reject(new Error('the disk is full'))
  await expect(followStep(host, folder, { fromOffset: 0, onOutput: failing })).rejects.toThrow('the disk is full')
})

test('aborting rejects with its reason, and the step continues', async () => {
  const folder = workshop.folder()
  await startStep(host, { folder, run: { script: 'echo begun; sleep 60' } })
  const stop = new AbortController()
  const onOutput = () => stop.abort('enough')
  await expect(followStep(host, folder, { fromOffset: 0, onOutput, signal: stop.signal })).rejects.toBe('enough')
  expect(printed(folder)).toBe('begun\n')
  await cancelStep(host, folder)
  expect((await readStep(host, folder)).end).toMatchObject({ state: 'canceled' })
})

test.each([
  ['300 MB of random bytes', 'head -c 314572800 /dev/urandom', 300 * 2 ** 20],
  ['a line of 300 MB', "head -c 314572800 /dev/zero | tr '\\0' x", 300 * 2 ** 20],
  ['300 MB of lines', 'yes "a line of some output" | head -c 314572800', 300 * 2 ** 20],
])('%s do not make the platform grow, and the beginning and end are kept', async (_, script, total) => {
  const child = startChild('swallow-output.ts', workshop.folder(), script)
  const report = JSON.parse(await child.firstLine)
  await child.kill()
  expect(report.end).toEqual({ state: 'exited', exitCode: 0, total })
  expect(report.grownBytes).toBeLessThan(150 * 2 ** 20)
  expect(report.keptBytes).toBeLessThan(50 * 2 ** 20 + 1_000)
  expect(report.notes).toContainEqual(expect.stringMatching(/^\[\d+ bytes left out here\]$/))
})

test('following ends if the server stays out of reach, and at once if it has another key', async () => {
  const follow = (problem: Error, giveUpAfterMs: number) => {
    const run = () => Promise.reject(problem)
    return followStep({ ...host, run }, '/nowhere', { fromOffset: 0, onOutput: () => undefined, giveUpAfterMs })
  }
  const lost = follow(new ConnectionLost('cut'), 0)
  await expect(lost).rejects.toThrow(ServerUnreachable)
  await expect(lost).rejects.toMatchObject({ stage: 'connect' })
  const otherKey = new ServerUnreachable('host_key', 'Another key')
  await expect(follow(otherKey, 60_000)).rejects.toBe(otherKey)
  await expect(follow(new TypeError('a bug'), 60_000)).rejects.toThrow('a bug')
})

test('output of the account’s login files is not output of the step', async () => {
  const folder = workshop.folder()
  await startStep(host, { folder, run: ['echo', 'hello'] })
  const chatty: Host = {
    ...host,
    run: async (command, options) => {
      await options?.onOutput?.(Buffer.from('Welcome\noutput 0 5\nno newline'))
      return host.run(command, options)
    },
  }
  expect((await readStep(chatty, folder)).output.toString()).toBe('hello\n')
})

/** Cuts each of the first sessions after some of its bytes, anywhere. */
function lossy(real: Host, cuts: number): Host {
  let left = cuts
  return {
    ...real,
    run: async (command, options) => {
      if (left === 0) return real.run(command, options)
      left -= 1
      let remaining = 3_000 + left
      const onOutput = async (bytes: Buffer) => {
        await options?.onOutput?.(bytes.subarray(0, remaining))
        remaining -= Math.min(remaining, bytes.length)
        if (remaining === 0) throw new ConnectionLost('cut')
      }
      return real.run(command, { ...options, onOutput })
    },
  }
}
