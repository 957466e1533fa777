// Environments that the platform removed recently, with the reason.
import type { RemovedEnvironment } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import list from '../../components/list.module.css'
import { RelativeTime } from '../../components/time.tsx'
import { StatusIcon } from '../../status/status-icon.tsx'
import styles from './environments.module.css'

const MOST_SHOWN = 5

export function RemovedEnvironments({ removed }: { readonly removed: readonly RemovedEnvironment[] }) {
  const shown = removed.filter(({ because }) => because !== null).slice(0, MOST_SHOWN)
  if (shown.length === 0) return null
  return (
    <section className={styles.waiting} aria-labelledby="removed">
      <h2 id="removed">Recently removed</h2>
      <ul>
        {shown.map((environment) => (
          <li key={environment.id} className={list.line}>
            <StatusIcon shape="minus" tone="quiet" size={16} />
            <div>
              <div className="cut strong">{environment.name}</div>
              <div className="small quiet">
                Removed {environment.because} · <RelativeTime at={environment.removed_at} />
              </div>
            </div>
            {environment.task_id === null ? undefined : (
              <Link
                className="link small"
                to="/environments/$environmentId/tasks/$taskId"
                params={{ environmentId: environment.id, taskId: environment.task_id }}
              >
                Log
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
