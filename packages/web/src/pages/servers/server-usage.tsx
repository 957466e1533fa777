// Small charts of a server's CPU and memory, on its card.
import { useQuery } from '@tanstack/react-query'
import { lastOf } from '../../components/charts/series.ts'
import { Sparkline } from '../../components/charts/sparkline.tsx'
import { serverMetricsQuery } from '../../data/metrics.ts'
import { formatCores, formatMemory } from '../../text/usage.ts'
import styles from './servers.module.css'

export function ServerUsage({ serverId }: { readonly serverId: number }) {
  const { data } = useQuery(serverMetricsQuery(serverId, '2h'))
  if (data === undefined) return null
  const { cores, memory_total_bytes: total } = data
  const [cpu, memory] = [lastOf(data.cpu), lastOf(data.memory_bytes)]
  if (cpu === null || memory === null || cores === null || total === null) return null
  return (
    <div className={styles.usage}>
      <Sparkline label="CPU" values={data.cpu} top={cores}>
        {formatCores(cpu)} of {cores} {cores === 1 ? 'core' : 'cores'}
      </Sparkline>
      <Sparkline label="Memory" values={data.memory_bytes} top={total}>
        {formatMemory(memory)} of {formatMemory(total)}
      </Sparkline>
    </div>
  )
}
