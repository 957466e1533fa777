// Registers the live channel: who may open a connection, and what each is given. An upgrade passes the same hooks as a request.
import type { Server } from 'node:http'
import websocket from '@fastify/websocket'
import { LIVE_AUTHENTICATE, LIVE_SUBPROTOCOL, liveRoutes } from '@shipway/api/live'
import { networkOf } from '@shipway/api/values/ip-address'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import type { Context } from '../../context.ts'
import { AppError, RateLimited, TooManyLiveConnections, Unavailable } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { type ConcurrencyLimit, limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import type { FoundCredential } from '../../store/credentials/credentials.ts'
import { type Asking, authenticate, signInAgain } from '../authenticate.ts'
import { refuseForeignSocket } from '../origin.ts'
import { Descriptions } from './descriptions.ts'
import { Reader } from './reader.ts'
import { Readers, type Refusal } from './readers.ts'
import { createSharedLookups } from './shared-lookups.ts'
import type { Sources } from './subscriptions.ts'
import { Tail } from './tail.ts'

const MOST_MESSAGE_BYTES = 64 * 1024
const LOOKS = { atOnce: 4, waiting: Number.POSITIVE_INFINITY }
const LOOKS_OF_USER = { ...LOOKS, atOnce: 2 }

export async function registerLive(app: FastifyInstance, ctx: Context, server: Server): Promise<void> {
  const readers = new Readers(ctx.clock)
  const tail = new Tail(ctx)
  // Two of them: whoever looks at a topic may wait until it is known who asks.
  const [all, check] = [limitConcurrency(LOOKS), limitConcurrency(LOOKS)]
  const [lookFairly, checkFairly] = [fairly(all), fairly(check)]
  const look: Sources['look'] = (userId, work) => lookFairly(userId)(work)
  const lookUp = createSharedLookups<FoundCredential | undefined>()
  const sources = { ctx, tail, descriptions: new Descriptions(ctx, tail), outputs: app.outputs, look }
  const around = {
    sources,
    holdings: { bytes: 0 },
    signIn: (asking: Asking, userId: number | undefined) => {
      const limit = checkFairly(userId ?? networkOf(asking.ip))
      return signInAgain(ctx, asking, (digest, find) => lookUp(digest, find, limit))
    },
    admit: (reader: Reader, actor: Actor) => readers.admit(reader, actor),
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
        const refusal = request.ws && readers.refuse(whoseOf(request))
        if (refusal) throw noRoom(refusal)
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

/** Lookups of one user, or of strangers of one network, wait for each other before they wait for those of all. */
function fairly(all: ConcurrencyLimit): (whose: number | string) => ConcurrencyLimit {
  const queues = new Map<number | string, { readonly limit: ConcurrencyLimit; users: number }>()
  return (whose) => async (work) => {
    const own = queues.get(whose) ?? { limit: limitConcurrency(LOOKS_OF_USER), users: 0 }
    queues.set(whose, own)
    own.users++
    try {
      return await own.limit(() => all(work))
    } finally {
      if (--own.users === 0) queues.delete(whose)
    }
  }
}

const whoseOf = ({ actor, ip }: FastifyRequest) => ({ actor, network: networkOf(ip) })

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

function noRoom({ reason, waitSeconds }: Refusal): AppError {
  if (reason === 'closed') return Unavailable('The platform stops. Try again in a moment', waitSeconds)
  if (reason === 'full') return Unavailable('Too many live connections are open. Try again in a minute', waitSeconds)
  return reason === 'user' ? TooManyLiveConnections(waitSeconds) : RateLimited(waitSeconds)
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
