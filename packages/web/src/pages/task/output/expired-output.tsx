// In place of the output of a task whose retention is over.
import { describeLogExpiry } from '@shipway/api'
import styles from '../../../components/output/output.module.css'

type ExpiredOutputProps = { readonly finishedAt: string | null; readonly expiredAt: string }

export function ExpiredOutput({ finishedAt, expiredAt }: ExpiredOutputProps) {
  return (
    <section className={styles.pane} aria-label="Output">
      <div className={styles.head}>
        <h2>Output</h2>
      </div>
      <p className={styles.nothing}>{describeLogExpiry({ finished_at: finishedAt, log_expired_at: expiredAt })}.</p>
    </section>
  )
}
