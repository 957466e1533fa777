// Chooses the range of charts.
import type { MetricsRange } from '@shipway/api'
import styles from './range.module.css'

const RANGES: readonly { readonly range: MetricsRange; readonly label: string }[] = [
  { range: '2h', label: '2 hours' },
  { range: '2d', label: '2 days' },
  { range: '30d', label: '30 days' },
]

type RangeProps = { readonly range: MetricsRange; readonly onChange: (range: MetricsRange) => void }

export function RangeButtons({ range: chosen, onChange }: RangeProps) {
  return (
    <fieldset className={styles.ranges}>
      <legend className="visually-hidden">Range</legend>
      {RANGES.map(({ range, label }) => (
        <button key={range} type="button" aria-pressed={range === chosen} onClick={() => onChange(range)}>
          {label}
        </button>
      ))}
    </fieldset>
  )
}
