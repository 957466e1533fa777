// Points in time and durations. A relative time has the exact one in its title.
import { useNow } from '../data/clock.ts'
import { formatAgo, formatExact } from '../text/ago.ts'
import { formatDuration, formatRunning } from '../text/duration.ts'

export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow('half_minute')
  const then = new Date(at)
  return (
    <time dateTime={at} title={formatExact(then)}>
      {formatAgo(then, now)}
    </time>
  )
}

/** Duration of something finished, or the running time of something that is not. */
export function Duration({ startedAt, ms }: { readonly startedAt: string | null; readonly ms: number | null }) {
  if (startedAt === null) return null
  return ms === null ? <RunningTime since={startedAt} /> : <span className="figures">{formatDuration(ms)}</span>
}

export function RunningTime({ since }: { readonly since: string }) {
  const now = useNow('second')
  return <span className="figures">{formatRunning(Math.max(0, now.getTime() - Date.parse(since)))}</span>
}
