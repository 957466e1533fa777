// Footer of the logs: number of lines, and whether more come.
import { memo, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import output from '../../../components/output/output.module.css'
import { RelativeTime } from '../../../components/time.tsx'
import { useNow } from '../../../data/clock.ts'
import { useConnectionState } from '../../../data/live.ts'
import type { ServiceLog } from '../../../data/log/service-log.ts'
import { StatusIcon } from '../../../status/status-icon.tsx'

type LogFootProps = {
  readonly log: ServiceLog
  readonly isGrowing: boolean
  /** The line of the address is not among the lines around its time. */
  readonly isLinkLost: boolean
  readonly onRetry: () => void
}

/** Updates once a second instead of with every line. */
export const LogFoot = memo(function LogFoot({ log, isGrowing, isLinkLost, onRetry }: LogFootProps) {
  useNow('second')
  const { count, dropped } = log.store
  return (
    <div className={output.foot}>
      {count === 0 && isWaiting(log) ? undefined : (
        <span>{count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`}</span>
      )}
      {dropped > 0 ? (
        <span>the first {dropped.toLocaleString('en-US')} are no longer kept on this page</span>
      ) : undefined}
      {log.gaps > 0 ? <Warning>Lines were skipped</Warning> : undefined}
      {isLinkLost ? <Warning>The line of this link is no longer kept</Warning> : undefined}
      <span className={output.status}>
        <LogStatus log={log} isGrowing={isGrowing} onRetry={onRetry} />
      </span>
    </div>
  )
})

const isWaiting = ({ state }: ServiceLog): boolean => state === 'connecting' || state === 'reading'

function LogStatus({ log, isGrowing, onRetry }: Pick<LogFootProps, 'log' | 'isGrowing' | 'onRetry'>) {
  const connection = useConnectionState()
  if (log.state === 'gone') return <span>You no longer have access to these logs</span>
  if (log.state === 'refused' && log.store.count > 0)
    return (
      <>
        <Warning>{log.refusal?.detail}</Warning>
        <Button isSmall onClick={onRetry}>
          Try again
        </Button>
      </>
    )
  if (connection === 'offline') return <Warning>Offline: continues when the connection is back</Warning>
  if (log.state === 'ended') return <span>End of the range</span>
  if (!isGrowing || log.newestAt === undefined) return null
  return (
    <span>
      newest line <RelativeTime at={log.newestAt.toISOString()} />
    </span>
  )
}

const Warning = ({ children }: { readonly children: ReactNode }) => (
  <span className="row warn">
    <StatusIcon shape="triangle" tone="warn" size={12} />
    {children}
  </span>
)
