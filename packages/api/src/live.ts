// The live channel: the messages of a reader, and those of the platform.
import { z } from 'zod'
import { Environment } from './environments.ts'
import { Organization } from './organizations.ts'
import { Project } from './projects.ts'
import { route } from './route.ts'
import { Server } from './servers.ts'
import { LogOutput, Phase, Step, Task } from './tasks.ts'
import { Id, Time } from './values/ids.ts'

export const LIVE_SUBPROTOCOL = 'service.live.v1'
/** Offered beside it by a client that has no session and cannot send a header. It then sends `authenticate` first. */
export const LIVE_AUTHENTICATE = 'service.live.authenticate'

/** Why the platform closes a connection, beside what the protocol itself says (RFC 6455). */
export const LIVE_CLOSE = {
  /** The sign-in has ended, or none was sent: come back with another. */
  signInRequired: 4401,
  /** Nothing is subscribed. */
  idle: 4408,
  /** More messages or connections than anybody needs. */
  tooMany: 4429,
  /** The platform stops; the next one goes on from where the reader was. */
  restart: 1012,
} as const

/** A record by its id, such as `environment:7`; `task:7:log` is what the task prints. */
export const LiveTopic = z
  .string()
  .regex(/^((organization|project|environment|server|task):[1-9][0-9]{0,15}|task:[1-9][0-9]{0,15}:log)$/)
export type LiveTopic = z.infer<typeof LiveTopic>

const RequestId = z.string().max(100)

/** How far a reader has come. Of a log, `seq` is the byte after the last one that was read. */
export const LivePosition = z.strictObject({ epoch: z.string().max(100), seq: z.int().min(0) })
export type LivePosition = z.infer<typeof LivePosition>

export const LiveRequest = z.discriminatedUnion('type', [
  // The first message of a page, which cannot send a header. Not needed with a session or a header.
  z.strictObject({
    type: z.literal('authenticate'),
    token: z.string().max(1000),
    organization_id: Id.optional().describe('Narrows what is seen, as the header X-Service-Organization does'),
  }),
  z.strictObject({
    type: z.literal('subscribe'),
    id: RequestId,
    topic: LiveTopic,
    since: LivePosition.optional().describe(
      'Without it a record is sent as it is now, and a log from its first byte on',
    ),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), id: RequestId, topic: LiveTopic }),
  // A page sees no frames of the protocol: this is how it finds out that the connection still leads somewhere.
  z.strictObject({ type: z.literal('ping') }),
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
  z.object({ type: z.literal('authenticated') }),
  z.object({
    type: z.literal('subscribed'),
    id: RequestId,
    topic: LiveTopic,
    epoch: z.string(),
    seq: z.int(),
    recovered: z.boolean().describe('Whether everything after `since` follows; if not, fetch the records again'),
    snapshot: LiveEvent.optional().describe('The record of the topic, as an event that contains all of it'),
  }),
  LiveEvent,
  // Output comes faster than it is read or sent: it goes on from `seq`, while the log is as long as `to` already.
  z.object({ type: z.literal('lagged'), topic: LiveTopic, seq: z.int(), to: z.int() }),
  // Nothing more comes: as the reader asked (with its id), or because it may not see the topic any more (null).
  z.object({ type: z.literal('unsubscribed'), id: RequestId.nullable(), topic: LiveTopic }),
  // From time to time: everything up to this number was sent for all topics, even if they did not change for hours.
  z.object({ type: z.literal('current'), epoch: z.string(), seq: z.int() }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), id: RequestId.nullable(), code: z.string(), detail: z.string() }),
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
    description: [
      'Signed in by the session cookie from the own origin, by a bearer header, or by `authenticate` as the first message',
      '(then also offer the subprotocol `service.live.authenticate`).',
      '`subscribe` names a topic: `organization:{id}` covers the organization, its projects and servers, `project:{id}` the',
      'project and its environments, `environment:{id}` the environment and its tasks, `task:{id}` the task, its phases and',
      'steps, `task:{id}:log` its output, `server:{id}` the server. A client that reconnects within five minutes sends its last',
      'position in `since`, and gets each record that changed meanwhile, and all output. `recovered: false` means: fetch again.',
    ].join(' '),
    permission: 'signed_in',
    scope: 'read',
    success: 101,
    errors: ['cross_origin_refused', 'upgrade_required'],
  }),
}
