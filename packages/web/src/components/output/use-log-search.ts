// Search in the output: matches so far, and the current one.
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { LineStore } from '../../data/log/line-store.ts'
import { type Hit, LogSearch } from '../../data/log/search.ts'

export type LogSearchState = {
  readonly wanted: string
  readonly hits: readonly Hit[]
  readonly current: Hit | undefined
  /** `1 of 3`. */
  readonly words: string
  readonly want: (text: string) => void
  /** Moves to the next or previous match. */
  readonly step: (by: 1 | -1) => void
}

/** `version` is incremented when there are more lines. */
type SearchedLog = { readonly store: LineStore; readonly version: number }

const NOTHING: readonly Hit[] = []

export function useLogSearch(log: SearchedLog, onFound: (hit: Hit) => void): LogSearchState {
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(-1)
  /** The search whose first match was shown, or that had none. */
  const sought = useRef<LogSearch>(undefined)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const { store, version } = log
  // biome-ignore lint/correctness/useExhaustiveDependencies: another store has other lines
  const search = useMemo(() => (wanted === '' ? undefined : new LogSearch(wanted)), [wanted, store])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every version there are more lines, and no other reason to search
  useEffect(() => {
    if (search === undefined) return
    let frame = 0
    const goOn = (): void => {
      const isMore = search.advance(store)
      if (sought.current !== search) {
        const [first] = search.hits
        if (first !== undefined) {
          setAt(0)
          onFound(first)
        }
        // Once all lines are searched, later output does not move the reader.
        if (first !== undefined || !isMore) sought.current = search
      }
      if (isMore) frame = requestAnimationFrame(goOn)
      redraw()
    }
    goOn()
    return () => cancelAnimationFrame(frame)
  }, [search, store, version])
  const hits = search?.hits ?? NOTHING
  const count = hits.length
  const goTo = (index: number): void => {
    const hit = hits[index]
    if (hit === undefined) return
    setAt(index)
    onFound(hit)
  }
  return {
    wanted,
    hits,
    current: hits[at],
    words: wordsOf({ wanted, at, count, isFull: search?.isFull ?? false }),
    want: (text) => {
      setWanted(text)
      setAt(-1)
    },
    step: (by) => goTo(at === -1 && by === -1 ? count - 1 : (at + by + count) % Math.max(1, count)),
  }
}

type SearchProgress = { readonly wanted: string; readonly at: number; readonly count: number; readonly isFull: boolean }

function wordsOf({ wanted, at, count, isFull }: SearchProgress): string {
  if (wanted === '') return ''
  if (count === 0) return 'none'
  const all = isFull ? `${count}+` : String(count)
  return at === -1 ? all : `${Math.min(at, count - 1) + 1} of ${all}`
}
