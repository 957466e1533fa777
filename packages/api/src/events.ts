// What comes in from a git host, and the live channel that goes out.
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

export const eventRoutes = {
  receiveWebhook: route({
    method: 'POST',
    path: '/api/webhooks/{hook_id}',
    summary: 'Push and pull-request events of a git host, signed with the webhook secret of the project',
    permission: 'public',
    scope: 'none',
    description:
      'Signed as GitHub (`X-Hub-Signature-256`), GitLab (`webhook-signature`, or `X-Gitlab-Token`), Gitea and Forgejo ' +
      '(`X-Gitea-Signature`) and Bitbucket (`X-Hub-Signature`) do, by the git host that the project names. ' +
      'An unknown hook and a wrong signature are answered alike. ' +
      'A genuine delivery is stored first; where its effect takes longer than some seconds the answer is 202 with the verdict ' +
      '`stored`, and the effect follows in the order in which the deliveries of the project came. Where it cannot be stored the ' +
      'answer is 503, and nothing has happened. Only a delivery that took effect is a `duplicate` when it comes again.',
    params: z.object({ hook_id: z.string() }),
    success: 200,
    mayBeLater: true,
    answer: z.object({
      verdict: z.enum(['accepted', 'duplicate', 'ignored', 'failed', 'stored']),
      reason: z.string().nullable(),
    }),
    errors: ['webhook_signature_invalid', 'payload_too_large', 'request_timeout'],
    rawBody: true,
  }),
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
