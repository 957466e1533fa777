// Small charts of what an environment uses, on its overview.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { binaryTopOf, highest, lastOf, sumOf, topOf } from '../../components/charts/series.ts'
import { Sparkline } from '../../components/charts/sparkline.tsx'
import { metricsQuery } from '../../data/metrics.ts'
import { describeCores, formatMemory } from '../../text/usage.ts'
import styles from './overview.module.css'

export function Usage({ environmentId }: { readonly environmentId: number }) {
  const { data } = useQuery(metricsQuery(environmentId, '2h'))
  const cpu = sumOf(data?.services.map((service) => service.cpu) ?? [])
  const memory = sumOf(data?.services.map((service) => service.memory_bytes) ?? [])
  const [cores, bytes] = [lastOf(cpu), lastOf(memory)]
  if (bytes === null) return null
  return (
    <section aria-labelledby="usage">
      <div className={styles.heading}>
        <h2 id="usage">Last 2 hours</h2>
        <Link className="link small" to="/environments/$environmentId/metrics" params={{ environmentId }}>
          Metrics
        </Link>
      </div>
      <div className={styles.sparks}>
        <Sparkline label="CPU" values={cpu} top={topOf(highest([cpu]), 0.1)}>
          {cores === null ? 'not measured yet' : describeCores(cores)}
        </Sparkline>
        <Sparkline label="Memory" values={memory} top={binaryTopOf(highest([memory]), 16 * 1024 ** 2)}>
          {formatMemory(bytes)}
        </Sparkline>
      </div>
    </section>
  )
}
