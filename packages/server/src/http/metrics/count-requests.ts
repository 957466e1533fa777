// Counts and times requests by route for /metrics; the label is the route's pattern, so there are few of them. Figures of the records
// are read when /metrics is read.
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { Context } from '../../context.ts'
import { findLastBackup } from '../../store/backup/last-backup.ts'
import { findTaskCounts } from '../../store/record-counts.ts'

export function countRequests(app: FastifyInstance, ctx: Pick<Context, 'db'>): void {
  const registry = new Registry()
  for (const metric of metricsOfProcess()) registry.registerMetric(metric)
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'shipway_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'shipway_request_seconds',
    help: 'Time to answer',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  measureTasks(registry, ctx)
  measureBackups(registry, ctx)
  app.decorate('metrics', registry)
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    requests.inc({ method: request.method, route, status: String(reply.statusCode) })
    seconds.observe({ route }, reply.elapsedTime / 1000)
    done()
  })
}

/** Once for a process: what watches the garbage collector and the event loop does so for ever, and for every application anew. */
function metricsOfProcess(): readonly Metric[] {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  const registry = ofProcess
  return registry.getMetricsAsArray().flatMap(({ name }) => registry.getSingleMetric(name) ?? [])
}

let ofProcess: Registry | undefined

function measureTasks(registry: Registry, { db }: Pick<Context, 'db'>): void {
  const gauge = new Gauge({
    name: 'shipway_tasks',
    help: 'Tasks of the installation that are queued or running now',
    labelNames: ['status'],
    registers: [registry],
    collect: async () => {
      const { queued, running } = await findTaskCounts(db)
      gauge.set({ status: 'queued' }, queued)
      gauge.set({ status: 'running' }, running)
    },
  })
}

function measureBackups(registry: Registry, { db }: Pick<Context, 'db'>): void {
  const succeeded = new Gauge({
    name: 'shipway_last_backup_timestamp_seconds',
    help: 'When a backup last succeeded; 0 where none has',
    registers: [registry],
    collect: async () => {
      const last = await findLastBackup(db)
      succeeded.set((last?.succeeded_at ?? 0) / 1000)
      failed.set(last !== undefined && last.failure !== null ? 1 : 0)
    },
  })
  const failed = new Gauge({
    name: 'shipway_last_backup_failed',
    help: '1 where the newest attempt at a backup failed',
    registers: [registry],
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry
  }
}
