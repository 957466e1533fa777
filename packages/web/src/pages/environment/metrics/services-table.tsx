// What each service uses now, and its restarts and OOM kills in the range.
import type { EnvironmentMetrics } from '@shipway/api'
import { lastOf } from '../../../components/charts/series.ts'
import { describeCores, formatMemory } from '../../../text/usage.ts'
import styles from './metrics.module.css'

/** As the alert has it. */
const FULL = 0.9

export function ServicesTable({ metrics }: { readonly metrics: EnvironmentMetrics }) {
  return (
    <div className={styles.scrolling}>
      <table className={styles.services}>
        <caption className="visually-hidden">Services, with the last samples</caption>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">CPU</th>
            <th scope="col">Memory</th>
            <th scope="col">Restarts</th>
            <th scope="col">OOM kills</th>
          </tr>
        </thead>
        <tbody>
          {metrics.services.map((service) => (
            <Service key={service.name} service={service} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Service({ service }: { readonly service: EnvironmentMetrics['services'][number] }) {
  const { name, restarts, oom_kills: kills, memory_limit_bytes: limit } = service
  const [cpu, memory] = [lastOf(service.cpu.slice(-LATELY)), lastOf(service.memory_bytes.slice(-LATELY))]
  const isFull = memory !== null && limit !== null && memory > limit * FULL
  return (
    <tr>
      <th scope="row" className="cut" title={name}>
        {name}
      </th>
      <td>{cpu === null ? UNKNOWN : describeCores(cpu)}</td>
      <td className={isFull ? 'warn strong' : undefined}>
        {memory === null ? UNKNOWN : formatMemory(memory)}
        {memory === null || limit === null ? '' : ` of ${formatMemory(limit)}`}
      </td>
      <td className={restarts > 0 ? 'warn' : undefined}>{restarts}</td>
      <td className={kills > 0 ? 'bad' : undefined}>{kills}</td>
    </tr>
  )
}

/** Older samples do not say what it uses now. */
const LATELY = 3
const UNKNOWN = <span className="faint">not measured</span>
