// Reads the services of an environment with their states and what they use.
import type { Client, Environment, EnvironmentMetrics, ServiceOutput } from '@shipway/api'
import { undefinedIfNotFound } from '../target/not-found.ts'

export type ServiceStatus = {
  readonly name: string
  readonly state: ServiceOutput['state']
  readonly exit_code: number | null
  /** Cores; null where it was not measured lately. */
  readonly cpu: number | null
  readonly memory_bytes: number | null
  readonly memory_limit_bytes: number | null
  readonly restarts: number
  /** In the last two hours. */
  readonly oom_kills: number
  readonly url: string | null
}

export type EnvironmentReading = { readonly environment: Environment; readonly services: readonly ServiceStatus[] }

type Options = { readonly id: number; readonly signal: AbortSignal }

export async function readStatus(client: Client, { id, signal }: Options): Promise<EnvironmentReading> {
  const request = { params: { id }, signal }
  const [environment, services, metrics] = await Promise.all([
    client.getEnvironment(request),
    client.listServices(request),
    // An older platform has none.
    client.getEnvironmentMetrics({ ...request, query: { range: '2h' } }).catch(undefinedIfNotFound),
  ])
  return { environment, services: services.map((service) => statusOf(service, environment, metrics)) }
}

/** In slots: older samples do not say what it uses now. */
const LATELY = 3

function statusOf(
  service: ServiceOutput,
  environment: Environment,
  metrics: EnvironmentMetrics | undefined,
): ServiceStatus {
  const measured = metrics?.services.find(({ name }) => name === service.name)
  const last = (values: readonly (number | null)[] = []): number | null =>
    values.slice(-LATELY).findLast((value) => value !== null) ?? null
  const routed = service.routed ? environment.services?.find(({ name }) => name === service.name) : undefined
  return {
    name: service.name,
    state: service.state,
    exit_code: service.exit_code,
    cpu: last(measured?.cpu),
    memory_bytes: last(measured?.memory_bytes),
    memory_limit_bytes: measured?.memory_limit_bytes ?? null,
    restarts: service.restarts,
    oom_kills: measured?.oom_kills ?? 0,
    url: routed?.url ?? null,
  }
}
