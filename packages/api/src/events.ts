// What comes in from a git host.
import { z } from 'zod'
import { route } from './route.ts'

export const eventRoutes = {
  receiveWebhook: route({
    method: 'POST',
    path: '/api/webhooks/{hook_id}',
    summary: 'Push and pull-request events of a git host, signed with the webhook secret of the project',
    permission: 'public',
    scope: 'none',
    description:
      'Signed as the git host of the project does: GitHub `X-Hub-Signature-256`, GitLab `webhook-signature` or `X-Gitlab-Token`, Gitea and Forgejo `X-Gitea-Signature`, Bitbucket `X-Hub-Signature`. ' +
      'An unknown hook and a wrong signature are answered alike. ' +
      'A delivery is stored first; where its effect takes some seconds the answer is 202 with the verdict `stored`. After 503 nothing has happened.',
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
}
