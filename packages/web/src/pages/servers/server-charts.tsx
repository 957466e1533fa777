// Large charts of a server: CPU, memory, load, disk.
import type { MetricsRange, ServerMetrics } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LineChart } from '../../components/charts/line-chart.tsx'
import { RangeButtons } from '../../components/charts/range-buttons.tsx'
import { highest, type Line, slotsOf, topOf, type Values } from '../../components/charts/series.ts'
import { Failed, Loading } from '../../components/states.tsx'
import { serverMetricsQuery } from '../../data/metrics.ts'
import { describeCores, formatCores, formatMemory } from '../../text/usage.ts'
import styles from './servers.module.css'

export function ServerCharts({ serverId }: { readonly serverId: number }) {
  const [range, setRange] = useState<MetricsRange>('2h')
  const { data, error, refetch } = useQuery(serverMetricsQuery(serverId, range))
  return (
    <>
      <RangeButtons range={range} onChange={setRange} />
      {data === undefined ? (
        error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading what="Loading metrics" />
        )
      ) : data.memory_total_bytes === null ? (
        <p className="small quiet">
          No samples yet. The platform measures this server every 30 seconds while it can be reached.
        </p>
      ) : (
        <Charts metrics={data} />
      )}
    </>
  )
}

const line = (name: string, values: Values, of?: string): readonly Line[] => [
  { name, values, color: 0, ...(of !== undefined && { of }) },
]

function Charts({ metrics }: { readonly metrics: ServerMetrics }) {
  const { cores, memory_total_bytes: memory, disk_total_bytes: disk } = metrics
  const slots = slotsOf(metrics, metrics.cpu.length)
  return (
    <div className={styles.charts}>
      <LineChart
        title="CPU"
        slots={slots}
        lines={line('CPU', metrics.cpu, cores === null ? undefined : `of ${cores}`)}
        top={cores ?? 1}
        format={describeCores}
        formatTick={formatCores}
        unit="cores"
      />
      <LineChart
        title="Memory"
        slots={slots}
        lines={line('Memory', metrics.memory_bytes, memory === null ? undefined : `of ${formatMemory(memory)}`)}
        top={memory ?? 1}
        format={formatMemory}
      />
      <LineChart
        title="Load"
        slots={slots}
        lines={line('Load', metrics.load)}
        top={topOf(highest([metrics.load]), cores ?? 1)}
        format={(load) => load.toFixed(2)}
        formatTick={String}
        unit="mean of a minute"
      />
      {disk === null ? undefined : (
        <LineChart
          title="Disk"
          slots={slots}
          lines={line('Disk', metrics.disk_bytes, `of ${formatMemory(disk)}`)}
          top={disk}
          format={formatMemory}
        />
      )}
    </div>
  )
}
