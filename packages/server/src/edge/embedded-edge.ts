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
import { createTrafficCounts, type EdgeStats } from './traffic-counts.ts'
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

type EmbeddedEdgeOptions = {
  readonly isOwnHost: (host: string) => boolean
  readonly graceMs?: number
  /** Receives errors thrown while handling a request. Such a fault of the edge ends only that request. */
  readonly onFault: (error: unknown) => void
}
type ServedDomain = KnownDomain & { readonly route: Route | null }

export function createEmbeddedEdge({ isOwnHost, graceMs = 5_000, onFault }: EmbeddedEdgeOptions): EmbeddedEdge {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  const traffic = createTrafficCounts()
  const answering = new Set<ServerResponse>()
  const tunnels = new Set<Socket>()
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
      traffic.countRequest(served.environmentId, res)
      answering.add(res)
      res.once('close', () => answering.delete(res))
      return { port: served.route.port, path, usesAuthorization: served.route.basicAuth !== null }
    }
    return undefined
  }

  const guardOf = (socket: Duplex) => (work: () => void) => {
    try {
      work()
    } catch (error) {
      onFault(error)
      socket.destroy()
    }
  }

  return {
    replaceRoutes(routes, known) {
      const next = new Map<string, ServedDomain>()
      for (const { domain, environmentId } of known)
        next.set(hostnameOf(domain), { domain, environmentId, route: null })
      for (const route of routes) next.set(hostnameOf(route.domain), { ...route, route })
      traffic.retainOnly(new Set([...next.values()].map(({ environmentId }) => environmentId)))
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
        traffic.countStream(target.port, res)
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
        traffic.countStream(target.port, socket)
        tunnel(target, { req, res, guard }, { socket, head })
      })
    },
    answerStranger(res, { isPerhapsOperator }) {
      res.on('error', () => res.destroy())
      sendPage(res, isPerhapsOperator ? unknownPlatform : unknownHost)
    },
    countStreams: traffic.countStreams,
    stats: traffic.stats,
    async close() {
      for (const socket of tunnels) socket.destroy()
      await allClosed(answering, graceMs)
      for (const res of answering) res.destroy()
      agent.destroy()
    },
  }
}

/** Path and query of the URL; undefined if the request names two hosts. */
function pathOf({ url = '/', rawHeaders }: IncomingMessage, served: ServedDomain): string | undefined {
  const isHost = (text: string, index: number): boolean => index % 2 === 0 && text.toLowerCase() === 'host'
  if (rawHeaders.filter(isHost).length > 1) return undefined
  if (url.startsWith('/') || url === '*') return url
  const [, authority, path] = /^https?:\/\/([^/?#]*)(.*)/is.exec(url) ?? []
  if (authority === undefined || hostnameOf(authority) !== hostnameOf(served.domain)) return undefined
  return path?.startsWith('/') ? path : `/${path ?? ''}`
}

async function allClosed(answering: ReadonlySet<ServerResponse>, graceMs: number): Promise<void> {
  const closed = [...answering].map((res) => new Promise((done) => res.once('close', done)))
  await withDeadline(Promise.all(closed), graceMs, () => undefined)
}
