// Followers of a flood, and of a server that breaks off: a fake server prints what each test says.
import { afterEach, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { isOfType, type LiveReader, openLiveReader } from '../../../test/live-reader.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import type { ServiceLogs } from '../../remote/output/service-logs.ts'

const [source] = databases
const BEGAN = 1_700_000_000
const stamp = (seconds: number, micros: number) =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}000Z`

type Following = {
  readonly since: number
  readonly signal: AbortSignal
  print(text: string): Promise<void>
  end(kind: 'renew' | 'lost'): void
}

/** A server without history. `next` is the next process that follows. */
function fakeServer() {
  const started: Following[] = []
  let wake: () => void = () => undefined
  const serviceLogs: ServiceLogs = {
    now: async () => BEGAN,
    read: async () => ({ kind: 'complete' }),
    follow: (_server, _environmentId, { since, signal, onOutput }) =>
      new Promise((resolve) => {
        const end = (kind: 'renew' | 'lost') => resolve(kind === 'renew' ? { kind } : { kind, detail: 'It is gone' })
        signal.addEventListener('abort', () => end('lost'), { once: true })
        started.push({ since, signal, print: async (text) => onOutput(Buffer.from(text)), end })
        wake()
      }),
  }
  const next = async (): Promise<Following> => {
    for (;;) {
      const following = started.shift()
      if (following) return following
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { serviceLogs, next }
}

let app: TestApp | undefined
const readers: LiveReader[] = []
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.socket.terminate()
  await app?.close()
})

async function stage() {
  if (!source) throw new Error('There is no database for the tests')
  const server = fakeServer()
  app = await openTestApp(source, {}, { serviceLogs: server.serviceLogs })
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  const project = await buildOwnedProject(app.ctx)
  const environment = await buildEnvironment(app.ctx, project)
  const open = async () => {
    if (!app) throw new Error('There is no application')
    const reader = await openLiveReader(app.app, { token: project.owner.token })
    readers.push(reader)
    await reader.subscribe(`environment:${environment.id}:output`)
    return reader
  }
  return { server, open }
}

const textsOf = ({ messages }: LiveReader): string[] =>
  messages.flatMap((one) => (one.type === 'event' && one.event === 'output.append' ? [one.data.text] : []))

test('a reader that keeps up loses no line; one that does not read gets a notice, slows no other, and goes on', async () => {
  const { server, open } = await stage()
  const [quick, slow] = [await open(), await open()]
  const following = await server.next()
  slow.socket.pause()
  const [chunks, lines] = [300, 60]
  const pad = 'x'.repeat(1000)
  for (let chunk = 0; chunk < chunks; chunk++) {
    const printed = Array.from({ length: lines }, (_, line) => {
      const number = chunk * lines + line
      return `${stamp(BEGAN + Math.floor(number / 1000), number % 1000)} web ${number} ${pad}\n`
    })
    await following.print(printed.join(''))
  }
  await expect.poll(() => textsOf(quick).length).toBe(chunks * lines)
  expect(textsOf(quick).map((text) => Number(text.split(' ')[0]))).toEqual(
    Array.from({ length: chunks * lines }, (_, number) => number),
  )
  expect(quick.messages.filter(isOfType('lagged'))).toEqual([])
  slow.socket.resume()
  const last = `${chunks * lines - 1} ${pad}`
  await expect.poll(() => textsOf(slow).at(-1)).toBe(last)
  const [lagged] = slow.messages.filter(isOfType('lagged'))
  expect(lagged?.to).toBeGreaterThan(lagged?.seq ?? 0)
  expect(textsOf(slow).length).toBeLessThan(chunks * lines)
})

test('a process that ends is started again from a little before its last line, and no line is sent twice', async () => {
  const { server, open } = await stage()
  const reader = await open()
  const first = await server.next()
  expect(first.since).toBe(BEGAN)
  await first.print(`${stamp(BEGAN + 10, 1)} web one\n${stamp(BEGAN + 12, 1)} web two\n`)
  first.end('renew')
  const second = await server.next()
  expect(second.since).toBe(BEGAN + 9)
  await second.print(
    `${stamp(BEGAN + 10, 1)} web one\n${stamp(BEGAN + 11, 1)} api late\n${stamp(BEGAN + 12, 1)} web two\n`,
  )
  await second.print(`${stamp(BEGAN + 13, 1)} web three\n`)
  second.end('lost')
  const third = await server.next()
  await third.print(
    `${stamp(BEGAN + 13, 1)} web three\n${stamp(BEGAN + 20, 1)} web four\n${stamp(BEGAN + 20, 1)} web four\n`,
  )
  await expect.poll(() => textsOf(reader)).toEqual(['one', 'two', 'late', 'three', 'four', 'four'])
  reader.socket.close()
  await expect.poll(() => third.signal.aborted).toBe(true)
})

test('a server that sends no line, but floods, takes no memory and gets nothing through', async () => {
  const { server, open } = await stage()
  const reader = await open()
  const following = await server.next()
  const flood = 'y'.repeat(1024 * 1024)
  for (let count = 0; count < 30; count++) await following.print(flood)
  await following.print(`\n${stamp(BEGAN + 1, 1)} web after\n`)
  await expect.poll(() => textsOf(reader)).toEqual(['after'])
})
