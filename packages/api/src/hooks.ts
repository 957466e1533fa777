// Outgoing webhooks of a project, and their deliveries.
import { z } from 'zod'
import { IdParams, PageQuery } from './page.ts'
import { route } from './route.ts'
import { Id, IdParam, Time } from './values/ids.ts'
import { ReceiverUrl } from './values/receiver-url.ts'

export const HookEvent = z.enum([
  'deployment.succeeded',
  'deployment.failed',
  'environment.created',
  'environment.removed',
])
export type HookEvent = z.infer<typeof HookEvent>

const Events = z.array(HookEvent).min(1, 'Choose at least one event').max(HookEvent.options.length)

export const Hook = z.object({
  id: Id,
  project_id: Id,
  url: z.string(),
  events: z.array(HookEvent),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(['failing', 'gone'])
    .nullable()
    .describe('Why the platform turned it off: nothing arrived for three days, or the receiver answered 410'),
  failing_since: Time.nullable().describe('Since when nothing has arrived; null while it does'),
  created_at: Time,
  updated_at: Time,
})
export type Hook = z.infer<typeof Hook>

const HookSecret = z.object({
  secret: z.string().describe('What messages are signed with, by the rules of Standard Webhooks'),
})

export const NewHook = z.strictObject({ url: ReceiverUrl, events: Events.default(HookEvent.options) })
export type NewHook = z.infer<typeof NewHook>

export const HookChanges = z.strictObject({
  url: ReceiverUrl.optional(),
  events: Events.optional(),
  enabled: z.boolean().optional(),
})
export type HookChanges = z.infer<typeof HookChanges>

export const HookDelivery = z.object({
  id: Id,
  hook_id: Id,
  message_id: z
    .string()
    .describe('The `webhook-id`: the same for every attempt, and for every hook that gets the event'),
  event: z.enum([...HookEvent.options, 'hook.test']),
  status: z
    .enum(['pending', 'succeeded', 'failed'])
    .describe('`pending` until it has arrived or is given up: an attempt that failed is repeated for three days'),
  attempts: z.int(),
  next_attempt_at: Time.nullable(),
  attempted_at: Time.nullable(),
  duration_ms: z.int().nullable(),
  response_status: z.int().nullable(),
  response_text: z.string().nullable().describe('The beginning of the last answer'),
  error: z.string().nullable().describe('Why the last attempt failed'),
  created_at: Time,
})
export type HookDelivery = z.infer<typeof HookDelivery>

const administered = { permission: 'administer', scope: 'admin' } as const

export const hookRoutes = {
  listHooks: route({
    method: 'GET',
    path: '/api/projects/{id}/hooks',
    summary: 'Webhooks that the platform sends, newest first',
    description: 'All of the project. Their secrets are never shown.',
    ...administered,
    params: IdParams,
    success: 200,
    answer: z.array(Hook),
  }),
  createHook: route({
    method: 'POST',
    path: '/api/projects/{id}/hooks',
    summary: 'Create an outgoing webhook of a project; the secret is shown only once',
    description:
      'A project has at most 20. Addresses in private networks are refused, also when a name leads there later, unless an administrator ' +
      'of the platform allows them.',
    ...administered,
    params: IdParams,
    body: NewHook,
    success: 201,
    answer: Hook.extend(HookSecret.shape),
    errors: ['project_deleting', 'in_use'],
  }),
  getHook: route({
    method: 'GET',
    path: '/api/hooks/{id}',
    summary: 'One webhook',
    description: 'Whether it is enabled, and since when it fails. The secret is never shown.',
    ...administered,
    params: IdParams,
    success: 200,
    answer: Hook,
  }),
  updateHook: route({
    method: 'PATCH',
    path: '/api/hooks/{id}',
    summary: 'Change a webhook, or turn it off and on',
    description:
      'What is waiting to be sent to a webhook that is turned off is given up; it can be sent again one by one.',
    ...administered,
    params: IdParams,
    body: HookChanges,
    success: 200,
    answer: Hook,
    errors: ['project_deleting'],
  }),
  deleteHook: route({
    method: 'DELETE',
    path: '/api/hooks/{id}',
    summary: 'Delete a webhook with its deliveries',
    description: 'What waits to be sent to it is dropped.',
    ...administered,
    params: IdParams,
    success: 204,
  }),
  regenerateHookSecret: route({
    method: 'POST',
    path: '/api/hooks/{id}/secret',
    summary: 'Make a new secret for a webhook, shown this once',
    description:
      'For a day messages are signed with the earlier secret too, so that the receiver can be changed without losing one.',
    ...administered,
    params: IdParams,
    success: 201,
    answer: HookSecret.extend({ earlier_valid_until: Time }),
    errors: ['project_deleting'],
  }),
  testHook: route({
    method: 'POST',
    path: '/api/hooks/{id}/test',
    summary: 'Send a message of the type hook.test, once',
    description: 'The answer comes before the message is sent: the list of deliveries says how it went.',
    ...administered,
    params: IdParams,
    success: 201,
    answer: HookDelivery,
    errors: ['project_deleting'],
  }),
  listHookDeliveries: route({
    method: 'GET',
    path: '/api/hooks/{id}/deliveries',
    summary: 'The last messages to a webhook and how each went, newest first',
    description: 'The last 200 that have ended are kept, for 30 days at most.',
    ...administered,
    params: IdParams,
    query: PageQuery,
    success: 200,
    answer: z.array(HookDelivery),
  }),
  redeliverHook: route({
    method: 'POST',
    path: '/api/hooks/{id}/deliveries/{delivery_id}/redelivery',
    summary: 'Send a message again, with the same id',
    description:
      'One that waits for its next attempt is sent now. It is also sent where the webhook is turned off, and then once.',
    ...administered,
    params: IdParams.extend({ delivery_id: IdParam }),
    success: 202,
    answer: HookDelivery,
    errors: ['project_deleting'],
  }),
}
