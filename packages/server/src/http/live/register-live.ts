// Registers the live channel: who may open a connection, and what each is given. An upgrade passes the same hooks as a request.
import type { Server } from 'node:http'
import websocket from '@fastify/websocket'
import { LIVE_AUTHENTICATE, LIVE_SUBPROTOCOL, liveRoutes } from '@shipway/api/live'
import { networkOf } from '@shipway/api/values/ip-address'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import type { Context } from '../../context.ts'
import { AppError, RateLimited, Unavailable } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { createTurnstile, type Turnstile } from '../../pacing/turnstile.ts'
import { type Asking, authenticate, signInAgain } from '../authenticate.ts'
import { refuseForeignSocket } from '../origin.ts'
import { Descriptions } from './descriptions.ts'
import { Reader } from './reader.ts'
import { MOST_READERS, Readers } from './readers.ts'
import type { Sources } from './subscriptions.ts'
import { Tail } from './tail.ts'
import { TaskLogs } from './task-logs.ts'

const MOST_MESSAGE_BYTES = 64 * 1024
const LOOKS = { atOnce: 4, waiting: Number.POSITIVE_INFINITY }
const LOOKS_OF_USER = { ...LOOKS, atOnce: 2 }

export async function registerLive(app: FastifyInstance, ctx: Context, server: Server): Promise<void> {
  const readers = new Readers(ctx.clock)
  const tail = new Tail(ctx)
  // Two of them: whoever looks at a topic may wait until it is known who asks.
  const [all, check] = [createTurnstile(LOOKS), createTurnstile(LOOKS)]
  const look = fairly(all)
  const sources = { ctx, tail, descriptions: new Descriptions(ctx, tail), logs: new TaskLogs(ctx), look }
  const around = {
    sources,
    holdings: { bytes: 0 },
    signIn: (asking: Asking) => check(() => signInAgain(ctx, asking)),
    admit: (reader: Reader, userId: number) => readers.admit(reader, userId),
    mayAsk: (reader: Reader) => readers.mayAsk(reader),
  }
  const { holdings } = around
  measure(app, { shipway_live_connections: () => readers.size, shipway_live_held_bytes: () => holdings.bytes })
  tail.listenToPeople((userId) => readers.check(userId))
  app.addHook('preClose', async () => {
    await readers.close()
    await tail.close()
  })
  // In a scope of its own: what the plugin adds to every request is for these alone.
  await app.register(async (scope) => {
    await scope.register(websocket, {
      options: {
        server,
        maxPayload: MOST_MESSAGE_BYTES,
        perMessageDeflate: false,
        // Answers to pings wait for the reader as all answers do.
        autoPong: false,
        handleProtocols: chooseProtocol,
      },
      errorHandler: (_error, socket) => socket.terminate(),
      preClose: (done) => done(),
    })
    scope.route({
      method: 'GET',
      url: liveRoutes.openLive.path,
      onRequest: async (request) => {
        if (request.ws) refuseForeignSocket(ctx, request)
        request.actor = await whoAsks(ctx, request)
        if (request.ws && !readers.hasRoom(whoseOf(request))) throw noRoom(readers)
      },
      handler: async () => {
        throw new AppError('upgrade_required', 'Open a WebSocket here, with the subprotocol service.live.v1', {
          headers: { upgrade: 'websocket', connection: 'upgrade' },
        })
      },
      wsHandler: (socket, request) => {
        const { headers, method, ip, id, actor } = request
        const reader = new Reader(around, socket, { headers, method, ip, id })
        readers.add(reader, whoseOf(request))
        socket.once('close', () => readers.remove(reader))
        if (actor) void reader.check()
      },
    })
  })
}

/** One user's looks wait for each other before they wait for those of all. */
function fairly(all: Turnstile): Sources['look'] {
  const byUser = new Map<number, Turnstile>()
  return (userId, work) => {
    const own = byUser.get(userId) ?? createTurnstile(LOOKS_OF_USER)
    byUser.set(userId, own)
    return own(() => all(work))
  }
}

const whoseOf = ({ actor, ip }: FastifyRequest) => ({ userId: actor?.userId, network: networkOf(ip) })

/** A page can send no header, and sees no answer but that the connection is closed: it says in the first message who it is. */
async function whoAsks(ctx: Context, request: FastifyRequest): Promise<Actor | undefined> {
  try {
    return await authenticate(ctx, liveRoutes.openLive, request)
  } catch (error) {
    const { origin, 'sec-websocket-protocol': offered = '' } = request.headers
    const willSay = origin !== undefined || offered.split(/ *, */).includes(LIVE_AUTHENTICATE)
    if (request.ws && willSay && error instanceof AppError && error.code === 'authentication_required') return undefined
    throw error
  }
}

function noRoom(readers: Readers): AppError {
  if (readers.isClosed) return Unavailable('The platform stops. Try again in a moment', 5)
  if (readers.size < MOST_READERS) return RateLimited(60)
  return Unavailable('Too many live connections are open. Try again in a minute', 60)
}

function measure(app: FastifyInstance, gauges: Readonly<Record<string, () => number>>): void {
  for (const [name, read] of Object.entries(gauges)) {
    new Gauge({
      name,
      help: HELP[name] ?? name,
      registers: [app.metrics],
      collect() {
        this.set(read())
      },
    })
  }
}

const HELP: Readonly<Record<string, string>> = {
  shipway_live_connections: 'Readers of the live channel',
  shipway_live_held_bytes: 'What is on its way to them',
}

const chooseProtocol = (offered: ReadonlySet<string>): string | false =>
  offered.has(LIVE_SUBPROTOCOL) && LIVE_SUBPROTOCOL
