// A sentence that appears beside what is pointed at or focused. Whatever it says stands elsewhere for those who do not see it.
import type { ReactNode } from 'react'
import styles from './layers.module.css'

export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <span className={styles.withTooltip}>
      {children}
      <span className={styles.tooltip} aria-hidden="true">
        {text}
      </span>
    </span>
  )
}
