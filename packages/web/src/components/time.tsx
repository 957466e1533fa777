// Points in time and durations. A relative time has the exact one in its title.
import type { Step, Task } from '@shipway/api'
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

type Timed = Pick<Step | Task, 'status' | 'started_at' | 'duration_ms'>

/** Duration of something finished, or the running time. The status decides: the API also sends how long something has run so far. */
export function Duration({ of: { status, started_at, duration_ms } }: { readonly of: Timed }) {
  if (started_at === null) return null
  if (status === 'running') return <RunningTime since={started_at} />
  return duration_ms === null ? null : <span className="figures">{formatDuration(duration_ms)}</span>
}

export function RunningTime({ since }: { readonly since: string }) {
  const now = useNow('second')
  return <span className="figures">{formatRunning(Math.max(0, now.getTime() - Date.parse(since)))}</span>
}
