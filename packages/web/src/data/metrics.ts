// Metrics of environments and servers.
import type { MetricsRange } from '@shipway/api'
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

/** Polled while the page is visible: samples come every 30 seconds, so an event would say nothing new. */
const EVERY_MS = 30_000

export const metricsQuery = (environmentId: number, range: MetricsRange) =>
  queryOptions({
    queryKey: [...keys.metrics(environmentId), range],
    queryFn: ({ signal }) => client.getEnvironmentMetrics({ params: { id: environmentId }, query: { range }, signal }),
    refetchInterval: EVERY_MS,
  })

export const serverMetricsQuery = (serverId: number, range: MetricsRange) =>
  queryOptions({
    queryKey: [...keys.serverMetrics(serverId), range],
    queryFn: ({ signal }) => client.getServerMetrics({ params: { id: serverId }, query: { range }, signal }),
    refetchInterval: EVERY_MS,
  })

/** For the marks in charts: as many as one request gives. */
export const deploymentMarksQuery = (environmentId: number) => ({
  topic: `environment:${environmentId}` as const,
  key: [...keys.tasks(environmentId), 'marks'],
  read: (signal: AbortSignal) =>
    client.listTasks({ params: { id: environmentId }, query: { kind: 'deploy', limit: 100 }, signal }),
})
