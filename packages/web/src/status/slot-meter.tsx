// Used and free environments of a project, one cell each.
import type { Environment } from '@shipway/api'
import styles from './phase-bar.module.css'

type Slot = Pick<Environment, 'id' | 'name' | 'status'>
type SlotMeter = {
  readonly environments: readonly Slot[]
  readonly used: number
  readonly limit: number
  readonly isLarge?: boolean
}

const MOST_CELLS = 60

export function SlotMeter({ environments, used, limit, isLarge = false }: SlotMeter) {
  const free = Math.max(0, Math.min(limit, MOST_CELLS) - environments.length)
  return (
    <span
      className={`${styles.slots} ${isLarge ? styles.large : ''}`}
      role="img"
      aria-label={`${used} of ${limit} environments are used`}
    >
      {environments.slice(0, MOST_CELLS).map(({ id, name, status }) => (
        <i key={id} className={styles[CELLS[status]]} title={name} />
      ))}
      {Array.from({ length: free }, (_, index) => (
        // Free slots are identical.
        // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else
        <i key={`free-${index}`} className={styles.free} />
      ))}
    </span>
  )
}

const CELLS: Readonly<Record<Environment['status'], string>> = {
  running: 'live',
  degraded: 'degraded',
  deploying: 'deploying',
  failed: 'broken',
  new: 'undeployed',
  awaiting_approval: 'free',
  removing: 'undeployed',
}
