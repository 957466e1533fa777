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

/** A record by its id, such as `environment:7`; `task:7:log` is the task's output, `environment:7:output` the logs of its services. */
export const LiveTopic = z
  .string()
  .regex(
    /^((organization|project|environment|server|task):[1-9][0-9]{0,15}|task:[1-9][0-9]{0,15}:log|environment:[1-9][0-9]{0,15}:output)$/,
  )
export type LiveTopic = z.infer<typeof LiveTopic>

const RequestId = z.string().max(100)

/**
 * How far a reader has come. Of a log, `seq` is the byte after the last one that was read. Of service logs, it is a time in
 * microseconds: a reader gets every line from that instant on, also those that it has, and drops what it has seen.
 */
export const LivePosition = z.strictObject({ epoch: z.string().max(100), seq: z.int().min(0) })
export type LivePosition = z.infer<typeof LivePosition>

/** Which service logs to send. A reader that resumes from a position gets every line since: `since` and `tail` then do not count. */
export const LiveOutputOptions = z.strictObject({
  services: z
    .array(z.string().regex(/^[A-Za-z0-9._-]{1,200}$/))
    .max(50)
    .optional()
    .describe('Only these; without it, or if empty, all'),
  since: Time.optional().describe('Lines from this second on, also from earlier deployments'),
  until: Time.optional().describe('Lines up to the end of this second, then `output.end`'),
  tail: z.int().min(0).max(10_000).optional().describe('At most this many of the last lines that are there already'),
  grep: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only lines that contain this text, of those that `tail` leaves'),
  follow: z.boolean().optional().describe('False: only the lines that are there, then `output.end`'),
  server_id: Id.optional().describe('Of an earlier server of the environment'),
})
export type LiveOutputOptions = z.infer<typeof LiveOutputOptions>

export const LiveRequest = z.discriminatedUnion('type', [
  // The first message of a page, which cannot send a header. Not needed with a session or a header.
  z.strictObject({
    type: z.literal('authenticate'),
    token: z.string().max(1000),
    organization_id: Id.optional().describe('Narrows what is seen, as the header X-Service-Organization does'),
  }),
  z
    .strictObject({
      type: z.literal('subscribe'),
      id: RequestId,
      topic: LiveTopic,
      since: LivePosition.optional().describe(
        'Without it a record is sent as it is now, and a log from its first byte on',
      ),
      options: LiveOutputOptions.optional().describe('For `environment:{id}:output` alone'),
    })
    .refine(({ topic, options }) => options === undefined || isOutputTopic(topic), {
      path: ['options'],
      error: 'only the topic environment:{id}:output takes options',
    }),
  z.strictObject({ type: z.literal('unsubscribe'), id: RequestId, topic: LiveTopic }),
  // A page sees no frames of the protocol: this is how it finds out that the connection still leads somewhere.
  z.strictObject({ type: z.literal('ping') }),
])
export type LiveRequest = z.infer<typeof LiveRequest>

/** `time` as the engine printed it, in UTC and nanoseconds. Longer texts come in pieces of the same time. */
export const OutputLine = z.object({ service: z.string(), time: z.string(), text: z.string() })
export type OutputLine = z.infer<typeof OutputLine>

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
  // An index is a position in `phases` of the task, or in `steps` of the phase; the one after the last is a new one.
  event('phase.updated', z.object({ task_id: Id, index: z.int(), phase: Phase })),
  event('step.updated', z.object({ task_id: Id, phase_index: z.int(), index: z.int(), step: Step })),
  event('log.append', LogOutput.extend({ task_id: Id })),
  // One line of a service. `seq` is its time in microseconds: lines of several services may come a little out of order.
  event('output.append', OutputLine.extend({ environment_id: Id })),
  // Everything that was printed so far was sent. What follows is new.
  event('output.current', z.object({ environment_id: Id })),
  // The last message of the subscription: `until` is reached, or nothing is to be followed.
  event('output.end', z.object({ environment_id: Id })),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/**
 * Whatever the platform sends. A reader skips what it cannot parse: later releases add events. A frame of `environment:{id}:output`
 * may hold several messages, each on a line of its own.
 */
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
  // Output comes faster than it is read or sent: it goes on from `seq`, while the log is as long as `to` already. Of service logs,
  // lines between the instants `seq` and `to` were left out.
  z.object({ type: z.literal('lagged'), topic: LiveTopic, seq: z.int(), to: z.int() }),
  // Nothing more comes: as the reader asked (with its id), or because it may not see the topic any more (null).
  z.object({ type: z.literal('unsubscribed'), id: RequestId.nullable(), topic: LiveTopic }),
  // From time to time: everything up to this number was sent for all topics, even if they did not change for hours.
  z.object({ type: z.literal('current'), epoch: z.string(), seq: z.int() }),
  z.object({ type: z.literal('pong') }),
  z.object({
    type: z.literal('error'),
    id: RequestId.nullable(),
    code: z.string(),
    detail: z.string(),
    known: z.array(z.string()).optional().describe('With `service_not_found`: the services that there are'),
  }),
])
export type LiveMessage = z.infer<typeof LiveMessage>

export const isOutputTopic = (topic: LiveTopic): boolean => topic.endsWith(':output')

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
      '`subscribe` names a topic: `organization:{id}` with its projects and servers, `project:{id}` with its environments,',
      '`environment:{id}` with its tasks, `environment:{id}:output` (service logs), `task:{id}` with its steps, `task:{id}:log`,',
      '`server:{id}`. A client that reconnects within five minutes sends its last position in `since`, and gets what it',
      'missed. `recovered: false`: fetch again.',
    ].join(' '),
    permission: 'signed_in',
    scope: 'read',
    success: 101,
    errors: ['cross_origin_refused', 'upgrade_required'],
  }),
}
