// Footer of the output: number of lines, size, connection state.
import type { Task } from '@shipway/api'
import { memo } from 'react'
import styles from '../../../components/output/output.module.css'
import { Pending } from '../../../components/states.tsx'
import { RelativeTime } from '../../../components/time.tsx'
import { useNow } from '../../../data/clock.ts'
import { useConnectionState } from '../../../data/live.ts'
import type { TaskLog } from '../../../data/log/task-log.ts'
import { StatusIcon } from '../../../status/status-icon.tsx'
import { formatSize } from '../../../text/size.ts'

type FootProps = {
  readonly log: TaskLog
  readonly taskId: Task['id']
  readonly isGrowing: boolean
  /** There is output that has not arrived yet. */
  readonly isComing: boolean
}

/** Updates once a second instead of with every line. */
export const OutputFoot = memo(function OutputFoot({ log, taskId, isGrowing, isComing }: FootProps) {
  useNow('second')
  const { count, bytes, dropped } = log.store
  return (
    <div className={styles.foot}>
      {isComing ? (
        <Pending what="Loading output" />
      ) : (
        <>
          <span>{count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`}</span>
          <span>{formatSize(bytes)}</span>
        </>
      )}
      {dropped > 0 ? <span>the first {dropped.toLocaleString('en-US')} are only in the raw log</span> : undefined}
      <span className={styles.status}>
        <LogStatus log={log} isGrowing={isGrowing} />
        <a className="link" href={`/api/tasks/${taskId}/log`} target="_blank" rel="noreferrer">
          Raw log
        </a>
      </span>
    </div>
  )
})

function LogStatus({ log, isGrowing }: { readonly log: TaskLog; readonly isGrowing: boolean }) {
  const connection = useConnectionState()
  if (log.state === 'refused') return <span>{log.refusal}</span>
  if (log.state === 'gone') return <span>You no longer have access to this output</span>
  if (connection === 'offline') {
    return (
      <span className="row warn">
        <StatusIcon shape="triangle" tone="warn" size={12} />
        Offline: continues when the connection is back
      </span>
    )
  }
  if (log.state === 'behind') {
    return (
      <span className="row">
        <StatusIcon shape="arc" tone="accent" size={12} />
        Catching up
      </span>
    )
  }
  if (!isGrowing || log.newestAt === undefined) return null
  return (
    <span>
      newest line <RelativeTime at={log.newestAt.toISOString()} />
    </span>
  )
}
