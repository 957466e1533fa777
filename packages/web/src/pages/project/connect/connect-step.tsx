// One step of the setup checklist.
import type { ReactNode } from 'react'
import type { Appearance } from '../../../status/appearance.ts'
import { NamedStatusIcon } from '../../../status/status-icon.tsx'
import styles from './connect.module.css'

export type StepState = 'true' | 'waiting' | 'failed'

const SIGNS: Readonly<Record<StepState, Appearance>> = {
  true: { shape: 'ticked', label: 'Done', tone: 'good' },
  waiting: { shape: 'arc', label: 'Waiting', tone: 'accent' },
  failed: { shape: 'octagon', label: 'Needs attention', tone: 'bad' },
}

type StepProps = {
  readonly title: string
  readonly state: StepState
  readonly says: ReactNode
  readonly children: ReactNode
}

export function ConnectStep({ title, state, says, children }: StepProps) {
  return (
    <section className={styles.step} aria-label={title}>
      <NamedStatusIcon appearance={SIGNS[state]} size={18} />
      <h2>{title}</h2>
      <span className={`${styles.state} small quiet`} role="status">
        {says}
      </span>
      <div className={styles.body}>{children}</div>
    </section>
  )
}
