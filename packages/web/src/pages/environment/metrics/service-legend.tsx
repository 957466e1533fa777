// The services of the charts with their colors. Choosing one shows it alone.
import type { EnvironmentMetrics } from '@shipway/api'
import styles from '../../../components/charts/chart.module.css'
import { colorOf } from '../../../components/charts/line-chart.tsx'

type LegendProps = {
  readonly services: EnvironmentMetrics['services']
  readonly chosen: string | undefined
  readonly onChoose: (name: string | undefined) => void
}

export function ServiceLegend({ services, chosen, onChoose }: LegendProps) {
  return (
    <fieldset className={styles.legend}>
      <legend className="visually-hidden">Services</legend>
      {services.map(({ name }, index) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          title={name === chosen ? 'Show all services' : `Show ${name} only`}
          onClick={() => onChoose(name === chosen ? undefined : name)}
        >
          <i className={styles.key} style={{ color: colorOf(index) }} />
          <span className="cut">{name}</span>
        </button>
      ))}
    </fieldset>
  )
}
