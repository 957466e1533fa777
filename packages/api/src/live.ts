// The live channel: what a reader asks for, and what the platform tells. This release does not answer it yet.
import { z } from 'zod'
import { Environment } from './environments.ts'
import { Organization } from './organizations.ts'
import { Project } from './projects.ts'
import { route } from './route.ts'
import { Server } from './servers.ts'
import { LogOutput, Phase, Step, Task } from './tasks.ts'
import { Id, Time } from './values/ids.ts'

export const LIVE_SUBPROTOCOL = 'service.live.v1'

/** A record by its id, such as `environment:7`; `task:7:log` is what the task prints. */
export const LiveTopic = z
  .string()
  .regex(/^((organization|project|environment|server|task):[1-9][0-9]{0,15}|task:[1-9][0-9]{0,15}:log)$/)
export type LiveTopic = z.infer<typeof LiveTopic>

export const LiveRequest = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('subscribe'),
    id: z.string().max(100),
    topic: LiveTopic,
    since: z.strictObject({ epoch: z.string().max(100), seq: z.int().min(0) }).optional(),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), id: z.string().max(100), topic: LiveTopic }),
])
export type LiveRequest = z.infer<typeof LiveRequest>

/** Records are whole, in the shapes of the REST answers: a reader replaces what it had. Of what was deleted the id is left. */
export const LiveEvent = z.discriminatedUnion('event', [
  event('organization.updated', Organization),
  event('organization.deleted', z.object({ id: Id })),
  event('project.created', Project),
  event('project.updated', Project),
  event('project.deleted', z.object({ id: Id })),
  event('environment.created', Environment),
  event('environment.updated', Environment),
  event('environment.deleted', z.object({ id: Id, project_id: Id })),
  event('server.created', Server),
  event('server.updated', Server),
  event('server.deleted', z.object({ id: Id })),
  event('task.created', Task),
  event('task.updated', Task),
  // An index is a place in `phases` of the task, or in `steps` of the phase; the one after the last is a new one.
  event('phase.updated', z.object({ task_id: Id, index: z.int(), phase: Phase })),
  event('step.updated', z.object({ task_id: Id, phase_index: z.int(), index: z.int(), step: Step })),
  event('log.append', LogOutput.extend({ task_id: Id })),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/** Whatever the platform sends. A reader skips what it cannot parse: later releases add events. */
export const LiveMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('subscribed'),
    topic: LiveTopic,
    epoch: z.string(),
    seq: z.int(),
    recovered: z.boolean().describe('Whether what came since `since` follows; otherwise the reader fetches anew'),
    snapshot: LiveEvent.optional().describe('The record of the topic, as the event that tells all of it'),
  }),
  LiveEvent,
  z.object({ type: z.literal('lagged'), topic: LiveTopic, seq: z.int() }),
  z.object({ type: z.literal('error'), id: z.string().nullable(), code: z.string(), detail: z.string() }),
])
export type LiveMessage = z.infer<typeof LiveMessage>

function event<const Name extends string, Data extends z.ZodType>(name: Name, data: Data) {
  return z.object({
    type: z.literal('event'),
    topic: LiveTopic,
    seq: z.int(),
    event: z.literal(name),
    at: Time,
    data,
  })
}

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
