// Disk usage and running tasks of a server.
import type { ServerHealth } from '@shipway/api'
import { formatDiskSpace } from '../../text/bytes.ts'
import styles from './servers.module.css'

export function DiskMeter({ disk, isShort }: { readonly disk: ServerHealth['disk']; readonly isShort: boolean }) {
  if (disk === null) return null
  const used = disk.total_bytes === 0 ? 0 : Math.round((1 - disk.free_bytes / disk.total_bytes) * 100)
  return (
    <div>
      <div className="row between tiny quiet figures">
        <span>Disk</span>
        <span className={isShort ? 'warn strong' : undefined}>
          {formatDiskSpace(disk.free_bytes)} free of {formatDiskSpace(disk.total_bytes)}
        </span>
      </div>
      <div
        className={isShort ? `${styles.meter} ${styles.short}` : styles.meter}
        role="img"
        aria-label={`${used} % of the disk used`}
      >
        <i className={styles.used} style={{ width: `${used}%` }} />
      </div>
    </div>
  )
}

const MOST_CELLS = 12

export function Slots({ tasks: { running, at_once } }: { readonly tasks: ServerHealth['tasks'] }) {
  return (
    <div>
      <div className="tiny quiet">Tasks at once</div>
      <div className={styles.slots}>
        <span className={styles.cells} role="img" aria-label={`${running} of ${at_once} tasks at once`}>
          {Array.from({ length: Math.min(at_once, MOST_CELLS) }, (_, slot) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: slots have nothing but their index
            <i key={slot} className={`${styles.slot} ${slot < running ? styles.taken : styles.open}`} />
          ))}
        </span>
        <span className="tiny quiet figures" aria-hidden="true">
          {running} of {at_once}
        </span>
      </div>
    </div>
  )
}
