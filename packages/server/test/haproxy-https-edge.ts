// A real HAProxy with the configuration of the edge and its https part, and what it takes to look at its certificates.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { freePort } from '../../../tools/free-port.ts'
import { applyHaproxyState } from '../src/edge/haproxy/apply-state.ts'
import { haproxyConfig } from '../src/edge/haproxy/haproxy-config.ts'
import type { HaproxyState } from '../src/edge/haproxy/haproxy-state.ts'
import { type Haproxy, startHaproxy } from './haproxy.ts'
import { createLocalHost } from './processes/local-host.ts'

export type HaproxyHttpsEdge = {
  readonly folder: string
  readonly httpsPort: number
  apply(state: Partial<HaproxyState>): Promise<void>
  /** What the socket answers to a line of commands, or to one with a payload. */
  say(commands: string): Promise<string>
  pid(): number | undefined
  start(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

type Options = { readonly folder?: string; readonly httpPort?: number; readonly httpsPort?: number }

/** Runs when it resolves, with no route and no certificate. */
export async function openHaproxyHttpsEdge(options: Options = {}): Promise<HaproxyHttpsEdge> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'shipway-edge-'))
  const httpPort = options.httpPort ?? (await freePort())
  const httpsPort = options.httpsPort ?? (await freePort())
  const addresses = { httpAddress: `127.0.0.1:${httpPort}`, httpsAddress: `127.0.0.1:${httpsPort}` }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfig({ folder, ...addresses }))
  let version = 0
  let running: Haproxy | undefined
  const edge: HaproxyHttpsEdge = {
    folder,
    httpsPort,
    apply: async (state) => {
      await applyHaproxyState(createLocalHost('test server'), folder, {
        version: ++version,
        domains: [],
        acmeThumbprint: null,
        ...state,
      })
    },
    say: async (commands) => (await running?.say(commands)) ?? '',
    pid: () => running?.pid,
    start: async () => {
      running = await startHaproxy({ folder })
    },
    stop: async () => running?.stop(),
    close: async () => {
      await running?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await edge.apply({})
  await edge.start()
  return edge
}

/** The certificate that is shown for a name, by its fingerprint; undefined where there is none. */
export async function shownFor(port: number, name: string): Promise<string | undefined> {
  const socket = connect({ host: '127.0.0.1', port, servername: name, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerCertificate().fingerprint.replaceAll(':', '')
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

/** The status of a request on a connection of its own, with the certificate held against `root`. */
export async function askSecurely(port: number, name: string, root: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = get(
    { host: '127.0.0.1', port, servername: name, ca: root, agent: false, headers: { host: name } },
    (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)),
  )
  request.once('error', reject)
  return promise
}
