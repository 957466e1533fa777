// Follows the events of the Docker Engine on the platform's own machine: containers that start, end or change their health.
import type { Context } from '../../../context.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { CommandStopped } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import { createAlarm } from '../../../scheduling/alarm.ts'
import { createLoop } from '../../../scheduling/loop.ts'

type Options = {
  readonly hosts: Pick<Hosts, 'of'>
  /** Called with the servers that are this machine. */
  readonly onEvent: (serverIds: readonly number[]) => void
}

/** Debounced, since several events come together when a container ends; and throttled, since a container may restart in a loop. */
const AFTER_EVENT_MS = 200
const MIN_INTERVAL_MS = 2_000
/** Retries where Docker is missing or its Engine has stopped. */
const RETRY_MS = 60_000
const LIMIT_MS = 24 * 60 * 60_000

export function followEngine(ctx: Pick<Context, 'installationId' | 'log'>, { hosts, onEvent }: Options) {
  let servers: readonly ServerAddress[] = []
  let notifiedAt = 0
  const notifying = createAlarm(() => {
    notifiedAt = performance.now()
    onEvent(servers.map(({ id }) => id))
  })
  const onOutput = (): void =>
    notifying.within(Math.max(AFTER_EVENT_MS, notifiedAt + MIN_INTERVAL_MS - performance.now()))

  const following = createLoop({
    // Missed events are harmless: the periodic check finds the same changes.
    work: async (signal) => {
      const [server] = servers
      if (!server) return
      const options = { onOutput, signal, timeoutMs: LIMIT_MS }
      const events = runtimeOf(server).followEvents(hosts.of(server), ctx.installationId, options)
      await events.catch((error: unknown) => {
        if (!(error instanceof CommandStopped)) throw error
      })
    },
    everyMs: RETRY_MS,
    startsWithPause: true,
    onError: (error) => ctx.log.warn({ err: error }, 'following Docker events failed; it is retried'),
  })
  let [isStarted, isStopped] = [false, false]
  return {
    /** Servers of this machine with live environments. Events are followed from the first one on. */
    follow: (local: readonly ServerAddress[]): void => {
      servers = local
      if (isStarted || isStopped || local.length === 0) return
      isStarted = true
      following.start()
      following.wake()
    },
    stop: async (): Promise<void> => {
      isStopped = true
      notifying.clear()
      await following.stop()
    },
  }
}
