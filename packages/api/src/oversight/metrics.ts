// What services and servers use, sampled over time.
import { z } from 'zod'
import { IdParams } from '../page.ts'
import { route } from '../route.ts'
import { Time } from '../values/ids.ts'

export const MetricsRange = z.enum(['2h', '2d', '30d'])
export type MetricsRange = z.infer<typeof MetricsRange>

const RangeQuery = z.object({
  range: MetricsRange.default('2h').describe('Slots of 30 seconds, 5 minutes and an hour'),
})

const Series = z.array(z.number().nullable())

const SLOTS = {
  step_seconds: z.int(),
  from: Time.describe('Start of the first slot. The last one is not over yet'),
}

const ServiceMetrics = z.object({
  name: z.string(),
  cpu: Series.describe('Cores'),
  memory_bytes: Series.describe('Without page cache; in slots of 5 minutes and more the highest'),
  memory_limit_bytes: z.number().nullable().describe('Null without a limit'),
  network_in: Series.describe('Bytes per second'),
  network_out: Series,
  restarts: z.int().describe('In this range'),
  oom_kills: z.int().describe('In this range'),
})

export const EnvironmentMetrics = z.object({ ...SLOTS, services: z.array(ServiceMetrics) })
export type EnvironmentMetrics = z.infer<typeof EnvironmentMetrics>

export const ServerMetrics = z.object({
  ...SLOTS,
  cores: z.int().nullable(),
  cpu: Series.describe('Cores'),
  memory_bytes: Series,
  memory_total_bytes: z.number().nullable(),
  load: Series.describe('Mean of a minute'),
  disk_bytes: Series.describe('In use on the fullest disk that deployments need'),
  disk_total_bytes: z.number().nullable(),
})
export type ServerMetrics = z.infer<typeof ServerMetrics>

export const metricsRoutes = {
  getEnvironmentMetrics: route({
    method: 'GET',
    path: '/api/environments/{id}/metrics',
    summary: 'What each service of an environment used: CPU, memory, network',
    description:
      'One entry per slot in each list, null where nothing was measured. Sampled every 30 seconds; the containers of a service count ' +
      'together. With the manual recipe: the processes that listen on the ports, and their children.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: RangeQuery,
    success: 200,
    answer: EnvironmentMetrics,
  }),
  getServerMetrics: route({
    method: 'GET',
    path: '/api/servers/{id}/metrics',
    summary: 'What was in use on a server: CPU, memory, load, disk',
    description: 'One entry per slot in each list, null where nothing was measured.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: RangeQuery,
    success: 200,
    answer: ServerMetrics,
  }),
}
