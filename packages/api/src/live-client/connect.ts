// Opens a connection of the live channel and signs in to it. The token goes into the first message, never into the address.
import { mayPass } from '../api-error.ts'
import { addressOf, type ClientOptions, tokenOf } from '../client-request.ts'
import { LIVE_AUTHENTICATE, LIVE_SUBPROTOCOL, liveRoutes } from '../live.ts'
import { Connection } from './connection.ts'
import type { Pace } from './pace.ts'
import { readMessage } from './read-message.ts'
import { unlessEnded } from './unless-ended.ts'

type Until = { readonly pace: Pace; readonly ended: AbortSignal }
/** A connection that cannot be used is over; there is none where a token could not be had now. */
export type Attempt = {
  readonly connection: Connection | undefined
  /** What the platform said about the sign-in. */
  readonly complaint: string | undefined
}

export async function connect(options: ClientOptions, until: Until): Promise<Attempt> {
  try {
    return await connectAs(await unlessEnded(tokenOf(options), until.ended), options, until)
  } catch (error) {
    if (!mayPass(error)) throw error
    return { connection: undefined, complaint: undefined }
  }
}

async function connectAs(token: string | undefined, options: ClientOptions, { pace, ended }: Until): Promise<Attempt> {
  const address = addressOf(options.baseUrl, liveRoutes.openLive, {})
  address.protocol = address.protocol.replace('http', 'ws')
  const protocols = token === undefined ? [LIVE_SUBPROTOCOL] : [LIVE_SUBPROTOCOL, LIVE_AUTHENTICATE]
  const socket = new (options.webSocket ?? WebSocket)(address, protocols)
  const connection = new Connection(socket, pace, ended)
  if (!(await connection.opened())) return { connection, complaint: undefined }
  // Without a token it is the session cookie that counts, which the browser has sent.
  if (token === undefined) {
    connection.ready()
    return { connection, complaint: undefined }
  }
  const { organization } = options
  connection.send({
    type: 'authenticate',
    token,
    ...(organization !== undefined && { organization_id: organization }),
  })
  return { connection, complaint: await awaitSignIn(connection) }
}

/** Gives the complaint where it fails; the connection is over then. */
async function awaitSignIn(connection: Connection): Promise<string | undefined> {
  for (let text = await connection.next(); text !== undefined; text = await connection.next()) {
    const message = readMessage(text)
    if (message?.type === 'authenticated') {
      connection.ready()
      return undefined
    }
    // Nothing but the sign-in was asked for. The platform may have taken the session of a page for it already, or not like the token.
    if (message?.type === 'error') {
      connection.end('sign_in')
      return message.detail
    }
  }
  return undefined
}
