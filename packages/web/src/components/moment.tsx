// A point in time: how long ago, and exactly in the title.
import { useEffect, useState } from 'react'
import { agoWords, exactWords } from '../words/ago.ts'
import { durationWords } from '../words/duration.ts'

export function Ago({ at }: { readonly at: string }) {
  const now = useNow(30_000)
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
  const now = useNow(200)
  return <span className="figures">{durationWords(Math.max(0, now.getTime() - Date.parse(since)))}</span>
}

export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
