// Syncs the edge inside the platform with the records: at once after an event in this process, otherwise within a second.
import type { Context } from '../../../context.ts'
import type { Route } from '../../../edge/route.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { type EdgeEntry, listEmbeddedRoutes } from '../../../store/environments/routes.ts'
import { openBasicAuth } from './open-basic-auth.ts'

const SYNC_MS = 1_000

export type EmbeddedEdgeSync = {
  start(): Promise<void>
  /** Resolves when the edge has the current routes. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

export function syncEmbeddedEdge(ctx: Context): EmbeddedEdgeSync {
  let syncedVersion: string | undefined

  const sync = async (): Promise<void> => {
    const version = await ctx.recordsVersion()
    if (version !== undefined && version === syncedVersion) return
    const entries = await listEmbeddedRoutes(ctx.db)
    ctx.embeddedEdge.replaceRoutes(
      entries.flatMap((entry) => routeOf(ctx, entry) ?? []),
      entries,
    )
    syncedVersion = version
  }
  const loop = createLoop({
    everyMs: SYNC_MS,
    startsWithPause: true,
    work: sync,
    onError: (error) => ctx.log.error({ err: error }, 'routes could not be read'),
  })

  let endListening: () => void = () => undefined
  return {
    start: async () => {
      endListening = ctx.bus.listen(({ about }) => about === 'routes' && loop.wake())
      loop.start()
      await loop.run()
    },
    refresh: loop.run,
    stop: async () => {
      endListening()
      await loop.stop()
    },
  }
}

/** No route leads to the platform's own port, even if the port was allocated to an environment before the platform used it. */
function routeOf(ctx: Context, entry: EdgeEntry): Route | undefined {
  const { domain, environmentId, port } = entry
  return port === null || port === ctx.config.port
    ? undefined
    : { domain, environmentId, port, basicAuth: openBasicAuth(ctx, entry) }
}
