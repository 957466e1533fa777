// Measures every server once in each slot of 30 seconds: one command over the existing connection, no agent.
//
// The platform keeps the last reading of each server in memory, since rates need two. The sample of the server itself is stored first:
// where several platform processes share a database, the one that stores it also stores those of the services.
import { runsContainers } from '@shipway/api/values/recipe-facts'
import type { Context } from '../../../context.ts'
import { slotOf } from '../../../domain/metrics/resolutions.ts'
import { runtimeOf } from '../../../runtimes/runtimes.ts'
import type { ServerStats } from '../../../runtimes/server-stats.ts'
import { type LiveEnvironment, listLiveEnvironments } from '../../../store/environments/live-services.ts'
import { takeRestarts } from '../../../store/metrics/restarts-to-count.ts'
import { findLastSample, insertServerSample, listServersToMeasure } from '../../../store/metrics/server-samples.ts'
import { insertServiceSamples } from '../../../store/metrics/service-samples.ts'
import type { JobRun } from '../jobs/server-job.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'
import { type MeasuredEnvironment, makeServerSample, makeServiceSamples } from './make-samples.ts'

/** Less than a slot: with its own duration, a pass still falls into every slot. One that comes twice into a slot does nothing. */
const EVERY_MS = 28_000
const LIST_MS = 30_000
const CONCURRENCY = 8

export function watchMetrics(ctx: Context, serverJobs: ServerJobs): { start(): void; runOnce(): Promise<void> } {
  const readings = new Map<number, ServerStats>()
  const list = async () => {
    const servers = await listServersToMeasure(ctx.db)
    const ids = new Set(servers.map(({ id }) => id))
    for (const id of readings.keys()) if (!ids.has(id)) readings.delete(id)
    return servers
  }
  const { start, runOnce } = serverJobs.define({
    failureMessage: 'a server could not be measured',
    recoveryMessage: 'a server can be measured again',
    everyMs: EVERY_MS,
    retryMs: EVERY_MS,
    concurrency: CONCURRENCY,
    // A rest between servers would leave slots without samples.
    isUrgent: true,
    list,
    listEveryMs: LIST_MS,
    run: (run) => measure(ctx, run, readings),
  })
  return { start, runOnce }
}

async function measure(ctx: Context, { server, host }: JobRun, readings: Map<number, ServerStats>): Promise<void> {
  const at = ctx.clock()
  const last = await findLastSample(ctx.db, server.id)
  if (last && last.at >= slotOf(30, at)) return
  const environments = await listLiveEnvironments(ctx.db, server.id)
  const now = await runtimeOf(server).stats(host(), {
    installationId: ctx.installationId,
    hasContainers: environments.some(({ recipe }) => runsContainers[recipe]),
    ports: environments.flatMap(({ recipe, routes }) => (runsContainers[recipe] ? [] : routes.map(({ port }) => port))),
    countKillsSince: last?.countedUntil ?? null,
  })
  const both = { now, before: readings.get(server.id) }
  readings.set(server.id, now)
  if (!(await insertServerSample(ctx.db, { serverId: server.id, at }, makeServerSample(both)))) return
  const ids = environments.map(({ id }) => id)
  const restarts = await takeRestarts(ctx.db, ids)
  const measured = environments.map((environment) => toMeasured(environment, restarts.get(environment.id)))
  await insertServiceSamples(
    ctx.db,
    at,
    measured.flatMap((environment) => makeServiceSamples(both, environment)),
  )
}

function toMeasured(
  { id, recipe, routes, known }: LiveEnvironment,
  restarts: ReadonlyMap<string, number> = new Map(),
): MeasuredEnvironment {
  return {
    id,
    runsContainers: runsContainers[recipe],
    services: known.map(({ name, route }) => ({
      name,
      port: routes.find(({ service }) => service === route)?.port,
      restarts: restarts.get(name) ?? 0,
    })),
  }
}
