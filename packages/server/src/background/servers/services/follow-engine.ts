// Hears from the Docker Engine of the platform's own machine when a container of ours starts, ends or changes its health.
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { hearEvents } from '../../../recipes/services/hear-events.ts'
import { CommandStopped } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { createAlarm } from '../../../scheduling/alarm.ts'
import { createLoop } from '../../../scheduling/loop.ts'

type Parts = {
  readonly hosts: Pick<Hosts, 'of'>
  /** Told of these servers, all of which are this machine. */
  readonly onEvent: (serverIds: readonly number[]) => void
}

/** Several events come together when a container ends; and one that ends again and again must not be looked at all the time. */
const AFTER_EVENT_MS = 200
const LEAST_PAUSE_MS = 2_000
/** A machine without Docker is asked again, and so is one whose Engine went away. */
const AGAIN_MS = 60_000
const LIMIT_MS = 24 * 60 * 60_000

export function followEngine(ctx: Pick<Context, 'installationId' | 'log'>, { hosts, onEvent }: Parts) {
  let servers: readonly ServerAddress[] = []
  let toldAt = 0
  const telling = createAlarm(() => {
    toldAt = performance.now()
    onEvent(servers.map(({ id }) => id))
  })
  const onOutput = (): void => telling.within(Math.max(AFTER_EVENT_MS, toldAt + LEAST_PAUSE_MS - performance.now()))

  const following = createLoop({
    // However it ends, what it would have told is found by the looks.
    work: async (signal) => {
      const [server] = servers
      if (!server) return
      const events = hearEvents(hosts.of(server), ctx.installationId, { onOutput, signal, timeoutMs: LIMIT_MS })
      await events.catch((error: unknown) => {
        if (!(error instanceof CommandStopped)) throw error
      })
    },
    everyMs: AGAIN_MS,
    startsWithPause: true,
    onError: (error) => ctx.log.warn({ err: error }, 'the events of Docker are not heard for a moment'),
  })
  let [isStarted, isStopped] = [false, false]
  return {
    /** Those of this machine that serve something; with none nothing is listened to. */
    follow: (local: readonly ServerAddress[]): void => {
      servers = local
      if (isStarted || isStopped || local.length === 0) return
      isStarted = true
      following.start()
      following.wake()
    },
    stop: async (): Promise<void> => {
      isStopped = true
      telling.clear()
      await following.stop()
    },
  }
}
