// A small chart of one figure, with its last value as text.
import type { ReactNode } from 'react'
import styles from './chart.module.css'
import { areaOf, pathOf, type Values } from './series.ts'

type SparklineProps = {
  readonly label: string
  readonly values: Values
  readonly top: number
  /** The last value, in words. */
  readonly children: ReactNode
}

export function Sparkline({ label, values, top, children }: SparklineProps) {
  return (
    <div className={styles.spark}>
      <div className="row between tiny figures">
        <span className="quiet">{label}</span>
        <span>{children}</span>
      </div>
      <svg viewBox={`0 0 ${Math.max(1, values.length - 1)} 1`} preserveAspectRatio="none" aria-hidden="true">
        <path d={areaOf(values, top)} className={styles.area} />
        <path d={pathOf(values, top)} className={styles.line} style={{ stroke: 'var(--service-1)' }} />
      </svg>
    </div>
  )
}
