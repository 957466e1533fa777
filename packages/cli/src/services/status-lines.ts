// The services of an environment as lines. Pure: nothing here writes to a terminal.
import { stateOf } from '../tasks/environment-state.ts'
import { plainText } from '../terminal/sanitize.ts'
import type { Paint } from '../terminal/sink.ts'
import { tableLines } from '../terminal/table.ts'
import { cores, memory } from '../terminal/usage.ts'
import type { EnvironmentReading, ServiceStatus } from './read-status.ts'

type LineOptions = { readonly columns: number | undefined; readonly paint: Paint }

export const headOf = (title: string, { environment }: EnvironmentReading): string =>
  `${title} · ${stateOf(environment, undefined)}`

export function statusLines({ services }: EnvironmentReading, { columns, paint }: LineOptions): string[] {
  const head = ['SERVICE', 'STATE', 'CPU', 'MEMORY', 'RESTARTS', 'ADDRESS']
  const [first = '', ...lines] = tableLines({ head, rows: services.map(rowOf) }, columns)
  return [first, ...lines.map((line, index) => colored(line, services[index], paint))]
}

const UNKNOWN = '-'

function rowOf(service: ServiceStatus): readonly string[] {
  const { cpu, memory_bytes: used, memory_limit_bytes: limit, oom_kills: kills } = service
  const restarts = `${service.restarts}${kills > 0 ? ` · ${kills} OOM` : ''}`
  return [
    plainText(service.name),
    `${plainText(service.state)}${service.exit_code === null ? '' : ` (code ${service.exit_code})`}`,
    cpu === null ? UNKNOWN : cores(cpu),
    used === null ? UNKNOWN : `${memory(used)}${limit === null ? '' : ` of ${memory(limit)}`}`,
    restarts,
    service.url === null ? '' : plainText(service.url),
  ]
}

/** As the alert has it. */
const FULL = 0.9

function colored(line: string, service: ServiceStatus | undefined, paint: Paint): string {
  if (!service) return line
  const { state, memory_bytes: used, memory_limit_bytes: limit } = service
  if (['unhealthy', 'restarting', 'exited'].includes(state)) return paint.failed(line)
  return state === 'unknown' || (used !== null && limit !== null && used > limit * FULL) ? paint.amber(line) : line
}
