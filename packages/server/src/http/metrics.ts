// Counts and times requests by route for /metrics; the label is the route's pattern, so there are few of them.
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export function countRequests(app: FastifyInstance): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
  app.decorate('metrics', registry)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    requests.inc({ method: request.method, route, status: String(reply.statusCode) })
    seconds.observe({ route }, reply.elapsedTime / 1000)
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry
  }
}
