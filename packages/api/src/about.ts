// What the platform tells of itself: its health, its metrics, and this contract.
import { z } from 'zod'
import { route } from './route.ts'

const Health = z.object({ status: z.enum(['ok', 'failing']), version: z.string() })

export const aboutRoutes = {
  getHealth: route({
    method: 'GET',
    path: '/healthz',
    summary: 'Is the process alive',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: Health,
  }),
  getReadiness: route({
    method: 'GET',
    path: '/readyz',
    summary: 'Can the platform answer requests: the database is reached and migrated',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: Health,
    errors: ['unavailable'],
  }),
  getMetrics: route({
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics in the Prometheus text format',
    description:
      'With the bearer token of the setting SHIPWAY_METRICS_TOKEN, with a token of a platform administrator, or without any ' +
      'where the setting SHIPWAY_METRICS is `open`.',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: z.string(),
    answerType: 'text/plain',
    errors: ['not_found'],
  }),
  getOpenApi: route({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This contract as OpenAPI 3.1',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
  }),
  readReference: route({
    method: 'GET',
    path: '/api/reference',
    summary: 'This contract as a page to read',
    permission: 'public',
    scope: 'none',
    success: 200,
    answer: z.string(),
    answerType: 'text/html',
  }),
}
