// The newest samples of services for /metrics, where the settings ask for them.
import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import type { Context } from '../../context.ts'
import { listNewestSamples, type NewestSample } from '../../store/metrics/newest-samples.ts'

const GAUGES = [
  { figure: 'cpu', name: 'cpu_cores', help: 'Cores that a service uses' },
  { figure: 'memoryBytes', name: 'memory_bytes', help: 'Memory of a service, without page cache' },
  {
    figure: 'memoryLimitBytes',
    name: 'memory_limit_bytes',
    help: 'Memory that a service may use; absent without a limit',
  },
  { figure: 'networkIn', name: 'network_in_bytes_per_second', help: 'What a service receives' },
  { figure: 'networkOut', name: 'network_out_bytes_per_second', help: 'What a service sends' },
] as const

export function measureServices(
  { metrics }: FastifyInstance,
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
): void {
  if (!config.metricsOfEnvironments) return
  // Gauges are read beside each other: those of one request share one query.
  let reading: Promise<readonly NewestSample[]> | undefined
  const readSamples = (): Promise<readonly NewestSample[]> => {
    reading ??= listNewestSamples(db, clock()).finally(() => {
      reading = undefined
    })
    return reading
  }
  for (const { figure, name, help } of GAUGES) {
    const gauge = new Gauge({
      name: `shipway_service_${name}`,
      help,
      labelNames: ['project', 'environment', 'service'] as const,
      registers: [metrics],
      collect: async () => {
        const samples = await readSamples()
        gauge.reset()
        for (const { project, environment, service, [figure]: value } of samples)
          if (value !== null) gauge.set({ project, environment, service }, value)
      },
    })
  }
}
