// The large charts of services.
import type { EnvironmentMetrics, Task } from '@shipway/api'
import { LineChart } from '../../../components/charts/line-chart.tsx'
import {
  binaryTopOf,
  highest,
  type Line,
  type Mark,
  slotsOf,
  topOf,
  type Values,
} from '../../../components/charts/series.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import { deploymentMarksQuery } from '../../../data/metrics.ts'
import { taskAppearance } from '../../../status/appearance.ts'
import { taskTitle } from '../../../text/task.ts'
import { describeCores, formatCores, formatMemory, formatRate } from '../../../text/usage.ts'

type ChartsProps = {
  readonly environmentId: number
  readonly metrics: EnvironmentMetrics
  readonly chosen: string | undefined
}

type ServiceMetrics = EnvironmentMetrics['services'][number]
type ShownService = ServiceMetrics & { readonly color: number }

/** Below that, noise of an idle service would fill the chart. */
const LEAST_CORES = 0.1
const LEAST_MEMORY = 16 * 1024 ** 2
const LEAST_RATE = 1_000

export function ServiceCharts({ environmentId, metrics, chosen }: ChartsProps) {
  const { data: tasks } = useLiveQuery(deploymentMarksQuery(environmentId))
  const services = metrics.services
    .map((service, color) => ({ ...service, color }))
    .filter(({ name }) => chosen === undefined || name === chosen)
  const slots = slotsOf(metrics, metrics.services[0]?.cpu.length ?? 0)
  const marks = (tasks ?? []).flatMap(markOf)
  const linesOf = (read: (service: ServiceMetrics) => Values): readonly Line[] =>
    services.map((service) => ({ name: service.name, color: service.color, values: read(service) }))
  const topOfCpu = topOf(highest(services.map(({ cpu }) => cpu)), LEAST_CORES)
  const network = networkLines(services)
  const hasNetwork = network.some(({ values }) => values.some((value) => value !== null))
  return (
    <div>
      <LineChart
        title="CPU"
        slots={slots}
        marks={marks}
        lines={linesOf(({ cpu }) => cpu)}
        top={topOfCpu}
        format={describeCores}
        formatTick={formatCores}
        unit="cores"
      />
      <MemoryChart slots={slots} marks={marks} services={services} />
      {hasNetwork ? (
        <LineChart
          title="Network"
          slots={slots}
          marks={marks}
          lines={network}
          top={topOf(highest(network.map(({ values }) => values)), LEAST_RATE)}
          format={formatRate}
          unit="received solid, sent dotted"
        />
      ) : undefined}
    </div>
  )
}

type MemoryProps = {
  readonly slots: ReturnType<typeof slotsOf>
  readonly marks: readonly Mark[]
  readonly services: readonly ShownService[]
}

/** The limit is a line of its own where one service is shown and the limit is near enough. */
function MemoryChart({ slots, marks, services }: MemoryProps) {
  const [only] = services
  const limit = services.length === 1 ? (only?.memory_limit_bytes ?? null) : null
  const most = highest(services.map(({ memory_bytes: bytes }) => bytes))
  const isNear = limit !== null && most > limit / 8
  return (
    <LineChart
      title="Memory"
      slots={slots}
      marks={marks}
      lines={services.map(({ name, color, memory_bytes: values, memory_limit_bytes: ownLimit }) => ({
        name,
        color,
        values,
        ...(ownLimit !== null && { of: `of ${formatMemory(ownLimit)}` }),
      }))}
      top={binaryTopOf(isNear ? limit * 1.01 : most, LEAST_MEMORY)}
      format={formatMemory}
      unit={limit !== null && !isNear ? `limit ${formatMemory(limit)}` : 'without page cache'}
      {...(isNear && { limit: { value: limit, label: `Limit ${formatMemory(limit)}` } })}
    />
  )
}

const networkLines = (services: readonly ShownService[]): readonly Line[] =>
  services.flatMap(({ name, color, network_in: received, network_out: sent }) => [
    { name: `${name} received`, color, values: received },
    { name: `${name} sent`, color, values: sent, isDashed: true },
  ])

function markOf(task: Task): readonly Mark[] {
  if (task.finished_at === null) return []
  const label = `#${task.id} ${taskTitle(task)}: ${taskAppearance(task).label}`
  return [{ at: Date.parse(task.finished_at), label, isBad: task.status !== 'succeeded' }]
}
