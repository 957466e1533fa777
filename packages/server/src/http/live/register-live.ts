// Registers the live channel. An upgrade passes the same hooks as a request.
import type { Server } from 'node:http'
import websocket from '@fastify/websocket'
import { LIVE_AUTHENTICATE, LIVE_SUBPROTOCOL, liveRoutes } from '@shipway/api/live'
import { TERMINAL_SUBPROTOCOL } from '@shipway/api/terminal'
import { networkOf } from '@shipway/api/values/ip-address'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import type { Context } from '../../context.ts'
import { AppError, RateLimited, TooManyLiveConnections, Unavailable } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { limitByOwner } from '../../scheduling/limit-by-owner.ts'
import { limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import type { FoundCredential } from '../../store/credentials/credentials.ts'
import { authenticate, type CallerRequest, signInAgain } from '../authenticate.ts'
import { refuseForeignSocket } from '../origin.ts'
import { EnvironmentOutputs } from '../service-logs/environment-outputs.ts'
import { Descriptions } from './descriptions.ts'
import { type Dependencies, Reader } from './reader.ts'
import { type ConnectedReader, Readers, type Refusal } from './readers.ts'
import { createSharedLookups } from './shared-lookups.ts'
import { Tail } from './tail.ts'
import { TerminalConnection, type TerminalDependencies } from './terminals/terminal-connection.ts'
import { Terminals } from './terminals/terminals.ts'

const MOST_MESSAGE_BYTES = 64 * 1024
const QUERIES = { concurrency: 4, maxQueued: Number.POSITIVE_INFINITY }
const QUERIES_OF_USER = { ...QUERIES, concurrency: 2 }

export async function registerLive(app: FastifyInstance, ctx: Context, server: Server): Promise<void> {
  const readers = new Readers(ctx.clock)
  const tail = new Tail(ctx)
  // Two limits: opening a topic may wait for a check of the sign-in.
  const [limitQueries, limitChecks] = [limitFairly(), limitFairly()]
  const lookUp = createSharedLookups<FoundCredential | undefined>()
  const serviceLogs = new EnvironmentOutputs(ctx)
  const descriptions = new Descriptions(ctx, tail)
  const sources = { ctx, tail, descriptions, outputs: app.outputs, serviceLogs, limitQueries }
  const terminals = new Terminals(ctx)
  const dependencies = {
    ctx,
    terminals,
    sources,
    heldBytes: { bytes: 0 },
    signIn: (asking: CallerRequest, userId: number | undefined) => {
      const owner = userId ?? networkOf(asking.ip)
      return signInAgain(ctx, asking, (digest, find) => lookUp(digest, find, (work) => limitChecks(owner, work)))
    },
    admit: (reader: ConnectedReader, actor: Actor) => readers.admit(reader, actor),
    followChanges: () => tail.refresh(),
    listenToEnvironment: (id: number, onChange: () => void) => tail.listen(`environment:${id}`, () => onChange),
    mayAsk: (reader: Reader) => readers.mayAsk(reader),
  }
  const { heldBytes } = dependencies
  measure(app, {
    shipway_live_connections: () => readers.size,
    shipway_live_held_bytes: () => heldBytes.bytes,
    shipway_log_followers: () => serviceLogs.followers,
    shipway_terminals: () => terminals.size,
  })
  tail.listenToPeople((userId) => readers.check(userId))
  app.addHook('preClose', async () => {
    await readers.close()
    await terminals.close()
    await tail.close()
  })
  // In a scope of its own: what the plugin adds to every request is for these alone.
  await app.register((scope) => openChannel(scope, server, { dependencies, readers }))
}

/** Queries of one user, or of one network before sign-in, queue among themselves first, then with all others. */
function limitFairly(): ReturnType<typeof limitByOwner> {
  const [all, own] = [limitConcurrency(QUERIES), limitByOwner(QUERIES_OF_USER)]
  return (owner, work) => own(owner, () => all(work))
}

type Channel = { readonly dependencies: Dependencies & TerminalDependencies; readonly readers: Readers }

/** Upgrades requests, each to a reader or to the terminal of a command. */
async function openChannel(scope: FastifyInstance, server: Server, { dependencies, readers }: Channel): Promise<void> {
  const { ctx } = dependencies
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
      request.actor = await authenticateSocket(ctx, request)
      const refusal = request.ws && readers.refuse(identityOf(request))
      if (refusal) throw noRoom(refusal)
    },
    handler: async () => {
      throw new AppError('upgrade_required', 'Open a WebSocket here, with the subprotocol service.live.v1', {
        headers: { upgrade: 'websocket', connection: 'upgrade' },
      })
    },
    wsHandler: (socket, request) => {
      const { headers, method, ip, id, actor } = request
      const isTerminal = socket.protocol === TERMINAL_SUBPROTOCOL
      const reader = new (isTerminal ? TerminalConnection : Reader)(dependencies, socket, { headers, method, ip, id })
      readers.add(reader, identityOf(request))
      socket.once('close', () => readers.remove(reader))
      if (actor) void reader.check()
    },
  })
}

const identityOf = ({ actor, ip }: FastifyRequest) => ({ actor, network: networkOf(ip) })

/** A page cannot send a header and sees no answer but a closed connection, so it authenticates with its first message. */
async function authenticateSocket(ctx: Context, request: FastifyRequest): Promise<Actor | undefined> {
  try {
    return await authenticate(ctx, liveRoutes.openLive, request)
  } catch (error) {
    const { origin, 'sec-websocket-protocol': offered = '' } = request.headers
    const protocols = offered.split(',').map((protocol) => protocol.trim())
    const willSay = origin !== undefined || protocols.includes(LIVE_AUTHENTICATE)
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
  shipway_log_followers: 'Readers of service logs among them',
  shipway_terminals: 'Terminals of one-off commands that the platform carries',
}

const chooseProtocol = (offered: ReadonlySet<string>): string | false =>
  [LIVE_SUBPROTOCOL, TERMINAL_SUBPROTOCOL].find((known) => offered.has(known)) ?? false
