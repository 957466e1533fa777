// One reader of the logs of an environment's services: joins those who follow them, and goes with the environment to another server.
import type { LiveOutputOptions } from '@shipway/api/live'
import type { Context } from '../../context.ts'
import type { LogSource } from '../../operations/access/find-log-source.ts'
import { findEnvironmentAnywhere } from '../../store/environments/environments.ts'
import { EnvironmentGone } from '../service-logs/environment-output.ts'
import type { EnvironmentOutputs, Follower, OnLeave, TooMany } from '../service-logs/environment-outputs.ts'
import type { Fault } from '../service-logs/output-reader.ts'
import { sendOutput } from '../service-logs/send-output.ts'
import type { SocketWriter } from './socket-writer.ts'
import type { Topic } from './topics.ts'

type Sources = { readonly ctx: Context; readonly serviceLogs: EnvironmentOutputs }
type LogFollower = {
  readonly topic: Topic
  readonly options: LiveOutputOptions
  /** The place that the reader resumes from, in microseconds. */
  readonly from: number | undefined
  readonly writer: SocketWriter
}
/** `gone`: the environment was deleted. */
type LogEnd = { readonly kind: 'ended' | 'gone' | 'stopped' } | Fault

/** Counts as a follower from now on, so `send` has to be called. */
export function followServiceLogs(
  sources: Sources,
  source: LogSource,
  reader: LogFollower,
): TooMany | { send(signal: AbortSignal): Promise<LogEnd> } {
  const first = join(sources.serviceLogs, source)
  return 'code' in first ? first : { send: (signal) => sendFrom(sources, { ...reader, source, first, signal }) }
}

type Joined = {
  readonly follower: Follower
  readonly left: AbortController
  reason: Parameters<OnLeave>[0] | undefined
}

function join(serviceLogs: EnvironmentOutputs, source: LogSource): Joined | TooMany {
  const left = new AbortController()
  const follower = serviceLogs.join(source, (reason) => {
    joined.reason = reason
    left.abort()
  })
  if ('code' in follower) return follower
  const joined: Joined = { follower, left, reason: undefined }
  return joined
}

type Sending = LogFollower & { readonly source: LogSource; readonly first: Joined; readonly signal: AbortSignal }

async function sendFrom({ ctx, serviceLogs }: Sources, sending: Sending): Promise<LogEnd> {
  const { topic, options, writer, signal } = sending
  let { from, source } = sending
  for (let joined: Joined | TooMany = sending.first; ; joined = join(serviceLogs, source)) {
    if ('code' in joined) return { kind: 'fault', ...joined }
    try {
      const either = AbortSignal.any([signal, joined.left.signal])
      const end = await sendOutput({ ctx, topic, options, writer }, joined.follower.output, { from, signal: either })
      if (end.kind !== 'stopped' || signal.aborted) return end
      if (joined.reason === 'gone') return { kind: 'gone' }
      from = end.place
    } catch (error) {
      if (error instanceof EnvironmentGone) return { kind: 'gone' }
      throw error
    } finally {
      joined.follower.leave()
    }
    const environment = await findEnvironmentAnywhere(ctx.db, topic.id)
    if (!environment) return { kind: 'gone' }
    source = { ...source, serverId: environment.server.id, isLocal: false }
  }
}
