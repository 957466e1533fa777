// Renders the time axis above the waterfall.
import type { CSSProperties } from 'react'
import type { Scale } from './scale.ts'
import styles from './steps.module.css'

export function Ruler({ scale: { segments, figures } }: { readonly scale: Scale }) {
  return (
    <div className={styles.ruler} aria-hidden="true">
      {segments.map(({ from, width }, index) => (
        <i
          key={from}
          className={index % 2 === 0 ? styles.full : undefined}
          style={{ '--from': `${from * 100}%`, '--length': `${width * 100}%` } as CSSProperties}
        />
      ))}
      {figures.map(({ at, words }) => (
        <span key={at} style={{ '--from': `${at * 100}%` } as CSSProperties}>
          {words}
        </span>
      ))}
    </div>
  )
}
