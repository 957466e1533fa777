// Clients that ask for large answers and never read them: what the platform holds for them, and whether it still answers others.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { LIVE_SUBPROTOCOL } from '@shipway/api'
import { echoWebSockets, listenOn } from '../packages/server/test/loopback.ts'
import {
  type DatabaseName,
  MEMORY_SETTING,
  makeDatabase,
  NODE_FLAGS,
  startProcess,
  stopProcess,
} from '../tools/platform.ts'
import type { Verdict } from './verdict.ts'

export type UnreadPlatform = {
  readonly port: number
  readonly tokens: readonly string[]
  readonly organizationId: number
  readonly taskId: number
  readonly artifactId: number
}

type Load = {
  readonly connections: number
  /** Sent at once on each connection. */
  readonly requests: number
  /** How long they stay, once the platform has worked through what they sent. */
  readonly holdSeconds: number
}

export type UnreadResult = {
  readonly what: string
  readonly grownMb: number
  /** After a collection of garbage, while the clients still wait. */
  readonly heldMb: number
  readonly p99Ms: number
}

export async function benchUnread(name: DatabaseName): Promise<Verdict[]> {
  const inOneProcess = await leaveUnread(name, LOAD)
  // What one kind of answer leaves behind hides what the next one takes.
  const apart: UnreadResult[] = []
  for (const { what } of inOneProcess) apart.push(...(await leaveUnread(name, LOAD, [what])))
  const p99s = inOneProcess.map(({ p99Ms }) => p99Ms)
  return [
    memoryVerdict(`one kind after the other in one process (${name})`, inOneProcess),
    memoryVerdict(`each kind in a process of its own (${name})`, apart),
    {
      what: `p99 of /healthz among them (${name})`,
      figure: Math.max(...p99s) / 1000,
      unit: 's',
      atMost: 0.2,
      detail: `${inOneProcess.map(({ what, p99Ms }) => `${what} ${p99Ms.toFixed(0)}`).join(', ')} ms`,
    },
  ]
}

const LOAD: Load = { connections: 2_000, requests: 50, holdSeconds: 5 }

function memoryVerdict(how: string, results: readonly UnreadResult[]): Verdict {
  const each = results.map(({ what, grownMb, heldMb }) => `${what} ${grownMb.toFixed(0)} (${heldMb.toFixed(0)})`)
  return {
    what: `memory that 2,000 connections take whose clients never read, ${how}`,
    figure: Math.max(...results.map(({ grownMb }) => grownMb)),
    unit: 'MB',
    atMost: 200,
    detail: `${each.join(', ')} MB; without garbage in brackets`,
  }
}

/** All kinds of answers, or those that are named, one after the other in one process. Memory is compared with that before the first. */
export async function leaveUnread(
  name: DatabaseName,
  load: Load,
  kinds?: readonly string[],
): Promise<readonly UnreadResult[]> {
  const application = await serveApplication()
  const { address, remove } = await makeDatabase(name, async () => undefined)
  let printed: UnreadPlatform | undefined
  let collected: (heldBytes: number) => void = () => undefined
  const words = [String(application.port), address.dataFolder, ...(address.url === undefined ? [] : [address.url])]
  const flags = [...NODE_FLAGS, '--expose-gc']
  const child = await startProcess([...flags, 'bench/unread-process.ts', ...words], MEMORY_SETTING, (line) => {
    if (line.startsWith('{')) printed = JSON.parse(line)
    if (line.startsWith(HELD)) collected(Number(line.slice(HELD.length)))
  })
  const pid = child.pid
  if (!printed || pid === undefined) throw new Error('The platform did not say where it is')
  const platform = printed
  const heldMb = async (): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>()
    collected = resolve
    process.kill(pid, 'SIGUSR2')
    return (await promise) / 1e6
  }
  const asked = Object.entries(kindsOf(platform)).filter(([what]) => kinds?.includes(what) ?? true)
  const results: UnreadResult[] = []
  try {
    // What is loaded and written out with the first answer of each kind is not the clients' doing.
    const target = { pid, port: platform.port, heldMb }
    for (const [, bytesOf] of asked) await measure({ ...target, bytesOf }, WARM_UP)
    const before = { residentMb: await residentMb(pid), heldMb: await heldMb() }
    for (const [what, bytesOf] of asked) {
      const measured = await measure({ ...target, bytesOf }, load)
      results.push({
        what,
        grownMb: measured.peakMb - before.residentMb,
        heldMb: measured.heldMb - before.heldMb,
        p99Ms: measured.p99Ms,
      })
    }
  } finally {
    await stopProcess(child)
    await application.close()
    await remove()
  }
  return results
}

/** The process prints it with the bytes that are left after it has collected its garbage, which SIGUSR2 asks for. */
export const HELD = 'Held: '
const WARM_UP: Load = { connections: 2, requests: 1, holdSeconds: 0.2 }

/** What the client with this number sends, so many times at once. */
type BytesOf = (client: number, requests: number) => string

function kindsOf({ tokens, organizationId, taskId, artifactId }: UnreadPlatform): Readonly<Record<string, BytesOf>> {
  const tokenOf = (client: number): string => `Authorization: Bearer ${tokens[client % tokens.length]}`
  const get = (path: string, ...headers: string[]): string =>
    `${[`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`
  const anonymous =
    (path: string): BytesOf =>
    (_client, requests) =>
      get(path).repeat(requests)
  const signedIn =
    (path: string): BytesOf =>
    (client, requests) =>
      get(path, tokenOf(client)).repeat(requests)
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${KEY}`,
  ]
  return {
    'openapi.json': anonymous('/api/openapi.json'),
    'the reference': anonymous('/api/reference'),
    'a file of the dashboard': anonymous('/assets/page.js'),
    'its page': anonymous('/'),
    'the OAuth metadata': anonymous('/.well-known/oauth-authorization-server'),
    'a log': signedIn(`/api/tasks/${taskId}/log`),
    'a log that is followed': signedIn(`/api/tasks/${taskId}/log?follow=1`),
    'an artifact': signedIn(`/api/artifacts/${artifactId}`),
    'a list': signedIn('/api/projects?limit=100'),
    'an audit log': signedIn(`/api/organizations/${organizationId}/audit/export?format=jsonl`),
    'an application': (_client, requests) => get('/').replace('localhost', 'app.test').repeat(requests),
    "an application's WebSocket": () => get('/', ...upgrade).replace('localhost', 'app.test'),
    'the live channel': (client, requests) =>
      get('/api/live', ...upgrade, tokenOf(client), `Sec-WebSocket-Protocol: ${LIVE_SUBPROTOCOL}`) +
      frameOf(JSON.stringify({ type: 'subscribe', id: '1', topic: `task:${taskId}:log` })).repeat(requests),
  }
}

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='

/** A short text message of a client, with a mask that changes nothing. */
const frameOf = (text: string): string => String.fromCharCode(0x81, 0x80 | text.length, 0, 0, 0, 0) + text

/** Answers with more than any connection holds, and says as much on a WebSocket. */
async function serveApplication() {
  const body = Buffer.alloc(16 * 1024 * 1024, 1)
  const server = createServer((_req, res) => res.end(body))
  echoWebSockets(server, 'application')
  server.on('upgrade', (_req, socket) => socket.write(body))
  server.on('connection', (socket) => socket.on('error', () => socket.destroy()))
  return listenOn(server)
}

type Target = {
  readonly pid: number
  readonly port: number
  readonly bytesOf: BytesOf
  readonly heldMb: () => Promise<number>
}

async function measure({ pid, port, bytesOf, heldMb }: Target, { connections, requests, holdSeconds }: Load) {
  const clients: Socket[] = []
  const probe = startProbe({ pid, port })
  try {
    for (let client = 0; client < connections; client++) {
      clients.push(openClient(port, client, bytesOf(client, requests)))
      if (client % 20 === 19) await pause(20)
    }
    await untilIdle(pid)
    await pause(holdSeconds * 1000)
    const measured = await probe.stop()
    return { ...measured, heldMb: await heldMb() }
  } finally {
    await probe.stop()
    for (const socket of clients) socket.destroy()
  }
}

/** Each from an address of its own, so that only what is held in all bounds them. */
function openClient(port: number, client: number, text: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.1.${client >> 8}.${client & 255 || 1}` })
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(text, 'latin1')
  return socket
}

/** Polls the health of the platform, and measures its memory. */
function startProbe({ pid, port }: Pick<Target, 'pid' | 'port'>) {
  const times: number[] = []
  let [peakMb, isStopped] = [0, false]
  const asking = (async () => {
    while (!isStopped) {
      const begun = performance.now()
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
      await answer.text()
      times.push(performance.now() - begun)
      peakMb = Math.max(peakMb, await residentMb(pid))
      await pause(10)
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await asking
      times.sort((a, b) => a - b)
      return { peakMb, p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 }
    },
  }
}

/** Until its main thread sleeps more than it runs. Waiting for a processor is neither: other programs cause it. */
async function untilIdle(pid: number): Promise<void> {
  const end = performance.now() + MOST_BUSY_MS
  let isBusy = true
  while (isBusy && performance.now() < end) {
    const [before, began] = [await timesOf(pid), performance.now()]
    await pause(500)
    const now = await timesOf(pid)
    const runningMs = now.runningMs - before.runningMs
    isBusy = runningMs > performance.now() - began - runningMs - (now.waitingMs - before.waitingMs)
  }
}

const MOST_BUSY_MS = 60_000

async function timesOf(pid: number): Promise<{ readonly runningMs: number; readonly waitingMs: number }> {
  const [running = 0, waiting = 0] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ').map(Number)
  return { runningMs: running / 1e6, waitingMs: waiting / 1e6 }
}

async function residentMb(pid: number): Promise<number> {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1000
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
