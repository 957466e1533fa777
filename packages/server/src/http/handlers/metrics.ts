// Requests about what services and servers use.
import { slotsOf } from '../../domain/metrics/resolutions.ts'
import { orNotFound } from '../../operations/or-not-found.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { listServerSamples } from '../../store/metrics/server-samples.ts'
import { listServiceSamples } from '../../store/metrics/service-samples.ts'
import { findServer } from '../../store/servers/servers.ts'
import type { Handlers } from '../handler.ts'
import { presentEnvironmentMetrics, presentServerMetrics } from '../present/metrics.ts'

export const metricsHandlers = {
  getEnvironmentMetrics: async ({ ctx, actor, params, query }) => {
    const { id } = orNotFound(await findEnvironment(ctx.db, actor, params.id), 'environment')
    const slots = slotsOf(query.range, ctx.clock())
    return { body: presentEnvironmentMetrics(slots, await listServiceSamples(ctx.db, id, slots)) }
  },
  getServerMetrics: async ({ ctx, actor, params, query }) => {
    const { id } = orNotFound(await findServer(ctx.db, actor, params.id), 'server')
    const slots = slotsOf(query.range, ctx.clock())
    return { body: presentServerMetrics(slots, await listServerSamples(ctx.db, id, slots)) }
  },
} satisfies Handlers
