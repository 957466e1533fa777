// The edge inside the platform's process: serves the domains of environments on the platform's own port.
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { withDeadline } from '../scheduling/deadline.ts'
import { type ForwardTarget, forward } from './forward.ts'
import {
  codingNotUnderstood,
  leadsToItself,
  nothingDeployed,
  notUnderstood,
  sendPage,
  signInNeeded,
  unknownHost,
  unknownPlatform,
} from './page.ts'
import { hostnameOf, isAuthorized, type KnownDomain, type Route } from './route.ts'
import { lastAnswer, tunnel } from './tunnel.ts'

export type EmbeddedEdge = {
  /** Takes effect with the next request. Running requests and open WebSockets keep their application. */
  replaceRoutes(routes: readonly Route[], known: readonly KnownDomain[]): void
  /** Whether a request with this Host header is for an environment. All others are for the platform. */
  claims(host: string | undefined): boolean
  handle(req: IncomingMessage, res: ServerResponse): void
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Answers a request for an unknown name. */
  answerStranger(res: ServerResponse, about: { readonly isPerhapsOperator: boolean }): void
  stats(environmentId: number): EdgeStats
  /** Number of running requests and open WebSockets to these ports. */
  countStreams(ports: readonly number[]): number
  /** Ends WebSockets, gives running requests some seconds to finish, then ends them too. */
  close(): Promise<void>
}

/** Requests that were sent to an application, and those of them that ended with 5xx or were cut off. */
export type EdgeStats = { readonly requests: number; readonly errors: number }

type EmbeddedEdgeOptions = {
  readonly isOwnHost: (host: string) => boolean
  readonly graceMs?: number
  /** Receives errors thrown while handling a request. Such a fault of the edge ends only that request. */
  readonly onFault: (error: unknown) => void
}
type ServedDomain = KnownDomain & { readonly route: Route | null }

export function createEmbeddedEdge({ isOwnHost, graceMs = 5_000, onFault }: EmbeddedEdgeOptions): EmbeddedEdge {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  const stats = new Map<number, EdgeStats>()
  const answering = new Set<ServerResponse>()
  const tunnels = new Set<Socket>()
  const streams = new Map<number, number>()
  let domains: ReadonlyMap<string, ServedDomain> = new Map()

  const domainOf = (host = ''): ServedDomain | undefined =>
    isOwnHost(host) ? undefined : domains.get(hostnameOf(host))

  function enter(req: IncomingMessage, res: ServerResponse): ForwardTarget | undefined {
    const served = domainOf(req.headers.host)
    const path = served && pathOf(req, served)
    if (path === undefined) sendPage(res, notUnderstood)
    else if ((req.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
      sendPage(res, codingNotUnderstood)
    } else if (!served?.route) sendPage(res, nothingDeployed(served?.domain ?? ''))
    else if (served.route.basicAuth && !isAuthorized(served.route.basicAuth, req.headers.authorization)) {
      sendPage(res, signInNeeded(served.domain))
    } else if (served.route.port === req.socket.localPort) {
      // Deployments cannot use this port. If one did, a request would loop until no connection is left.
      sendPage(res, leadsToItself(served.domain))
    } else {
      count(served.environmentId, res)
      return { port: served.route.port, path, usesAuthorization: served.route.basicAuth !== null }
    }
    return undefined
  }

  function count(environmentId: number, res: ServerResponse): void {
    add(environmentId, { requests: 1, errors: 0 })
    answering.add(res)
    res.once('close', () => {
      answering.delete(res)
      if (res.statusCode >= 500 || res.errored) add(environmentId, { requests: 0, errors: 1 })
    })
  }

  function add(environmentId: number, { requests, errors }: EdgeStats): void {
    const before = stats.get(environmentId) ?? noTraffic
    stats.set(environmentId, { requests: before.requests + requests, errors: before.errors + errors })
  }

  const guardOf = (socket: Duplex) => (work: () => void) => {
    try {
      work()
    } catch (error) {
      onFault(error)
      socket.destroy()
    }
  }

  /** Counts the stream until it closes. */
  function lead(port: number, stream: ServerResponse | Socket): void {
    streams.set(port, (streams.get(port) ?? 0) + 1)
    stream.once('close', () => {
      const left = (streams.get(port) ?? 1) - 1
      if (left > 0) streams.set(port, left)
      else streams.delete(port)
    })
  }

  return {
    replaceRoutes(routes, known) {
      const next = new Map<string, ServedDomain>()
      for (const { domain, environmentId } of known)
        next.set(hostnameOf(domain), { domain, environmentId, route: null })
      for (const route of routes) next.set(hostnameOf(route.domain), { ...route, route })
      const kept = new Set([...next.values()].map(({ environmentId }) => environmentId))
      for (const environmentId of stats.keys()) if (!kept.has(environmentId)) stats.delete(environmentId)
      domains = next
    },
    claims: (host) => domainOf(host) !== undefined,
    handle(req, res) {
      const guard = guardOf(req.socket)
      // A close event follows, which ends the other side.
      res.on('error', () => res.destroy())
      guard(() => {
        const target = enter(req, res)
        if (!target) return
        lead(target.port, res)
        forward(target, agent, { req, res, guard })
      })
    },
    upgrade(req, socket, head) {
      // For an upgrade with a body, Node passes another kind of stream. WebSockets have no body.
      if (!(socket instanceof Socket)) return void socket.destroy()
      tunnels.add(socket)
      socket.once('close', () => tunnels.delete(socket))
      const guard = guardOf(socket)
      guard(() => {
        const res = lastAnswer(req, socket)
        const target = enter(req, res)
        if (!target) return
        lead(target.port, socket)
        tunnel(target, { req, res, guard }, { socket, head })
      })
    },
    answerStranger(res, { isPerhapsOperator }) {
      res.on('error', () => res.destroy())
      sendPage(res, isPerhapsOperator ? unknownPlatform : unknownHost)
    },
    countStreams: (ports) => ports.reduce((sum, port) => sum + (streams.get(port) ?? 0), 0),
    stats: (environmentId) => stats.get(environmentId) ?? noTraffic,
    async close() {
      for (const socket of tunnels) socket.destroy()
      await allClosed(answering, graceMs)
      for (const res of answering) res.destroy()
      agent.destroy()
    },
  }
}

const noTraffic: EdgeStats = { requests: 0, errors: 0 }

/** Path and query of the URL; undefined if the request names two hosts. */
function pathOf({ url = '/', rawHeaders }: IncomingMessage, served: ServedDomain): string | undefined {
  const isHost = (text: string, index: number): boolean => index % 2 === 0 && text.toLowerCase() === 'host'
  if (rawHeaders.filter(isHost).length > 1) return undefined
  if (url.startsWith('/') || url === '*') return url
  const [, authority, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  if (authority === undefined || hostnameOf(authority) !== hostnameOf(served.domain)) return undefined
  return path?.startsWith('/') ? path : `/${path ?? ''}`
}

async function allClosed(answering: ReadonlySet<ServerResponse>, graceMs: number): Promise<void> {
  const closed = [...answering].map((res) => new Promise((done) => res.once('close', done)))
  await withDeadline(Promise.all(closed), graceMs, () => undefined)
}
