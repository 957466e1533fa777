// Shows a sentence while its child is hovered or focused. Hidden from screen readers: callers repeat the text for them.
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
