// A sentence that appears beside what is pointed at or focused. Whatever it says stands elsewhere for those who do not see it.
import type { ReactNode } from 'react'
import styles from './layers.module.css'

export function Hint({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <span className={styles.hinted}>
      {children}
      <span className={styles.hint} aria-hidden="true">
        {text}
      </span>
    </span>
  )
}
