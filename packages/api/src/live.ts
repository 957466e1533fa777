// The live channel: what a reader asks for, and what the platform tells. This release does not answer it yet.
import { z } from 'zod'
import { route } from './route.ts'

export const LIVE_SUBPROTOCOL = 'service.live.v1'

/** Messages of the live channel. The data of an event are the shapes of the REST answers. */
export const LiveRequest = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    id: z.string().max(100),
    topic: z.string().regex(/^(organization|project|environment|task):[1-9][0-9]{0,15}(:log)?$/),
    since: z.strictObject({ epoch: z.string().max(100), seq: z.int().min(0) }).optional(),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), id: z.string().max(100), topic: z.string().max(100) }),
])
export const LiveMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('subscribed'),
    topic: z.string(),
    epoch: z.string(),
    seq: z.int(),
    recovered: z.boolean(),
    snapshot: z.unknown().optional(),
  }),
  z.object({
    type: z.literal('event'),
    topic: z.string(),
    seq: z.int(),
    event: z.string(),
    at: z.string(),
    data: z.unknown(),
  }),
  z.object({ type: z.literal('lagged'), topic: z.string(), seq: z.int() }),
  z.object({ type: z.literal('error'), id: z.string().nullable(), code: z.string(), detail: z.string() }),
])

export const liveRoutes = {
  openLive: route({
    method: 'GET',
    path: '/api/live',
    summary: 'Live updates over a WebSocket, subprotocol `service.live.v1`',
    permission: 'signed_in',
    scope: 'read',
    success: 200,
    errors: ['cross_origin_refused'],
  }),
}
