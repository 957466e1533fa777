// A point in time: how long ago, and exactly in the title.
import { useNow } from '../data/clock.ts'
import { agoWords, exactWords } from '../text/ago.ts'
import { countingWords, durationWords } from '../text/duration.ts'

export function Ago({ at }: { readonly at: string }) {
  const now = useNow('half_minute')
  const then = new Date(at)
  return (
    <time dateTime={at} title={exactWords(then)}>
      {agoWords(then, now)}
    </time>
  )
}

/** How long something took, or has taken so far. */
export function Duration({ startedAt, ms }: { readonly startedAt: string | null; readonly ms: number | null }) {
  if (startedAt === null) return null
  return ms === null ? <Counting since={startedAt} /> : <span className="figures">{durationWords(ms)}</span>
}

export function Counting({ since }: { readonly since: string }) {
  const now = useNow('second')
  return <span className="figures">{countingWords(Math.max(0, now.getTime() - Date.parse(since)))}</span>
}
