// One of the things that must come true, with a tick when it has.
import type { ReactNode } from 'react'
import type { Shown } from '../../../status/appearance.ts'
import { LoneSign } from '../../../status/status-icon.tsx'
import styles from './connect.module.css'

export type TickState = 'true' | 'waiting' | 'failed'

const SIGNS: Readonly<Record<TickState, Shown>> = {
  true: { silhouette: 'ticked', word: 'Done', tone: 'good' },
  waiting: { silhouette: 'arc', word: 'Waits', tone: 'accent' },
  failed: { silhouette: 'octagon', word: 'Needs you', tone: 'bad' },
}

type TickProps = {
  readonly title: string
  readonly state: TickState
  readonly says: ReactNode
  readonly children: ReactNode
}

export function Tick({ title, state, says, children }: TickProps) {
  return (
    <section className={styles.tick} aria-label={title}>
      <LoneSign shown={SIGNS[state]} size={18} />
      <h2>{title}</h2>
      <span className={`${styles.state} small quiet`} role="status">
        {says}
      </span>
      <div className={styles.body}>{children}</div>
    </section>
  )
}
