// The rows that can be seen, of however many there are. While it follows, the newest line stays in view; scrolling up pauses it.
import { type CSSProperties, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { EvenRows } from './even-rows.tsx'
import styles from './lines.module.css'
import { MeasuredRows } from './measured-rows.tsx'
import type { Drawn } from './output-row.tsx'
import { HEIGHTS } from './row-heights.ts'
import type { Align, RowPlaces } from './row-places.ts'
import { useScrolling } from './use-scrolling.ts'

/** False where the rows cannot be seen now: on a phone the steps may be in their place. */
export type RowsHandle = { readonly scrollTo: (row: number, how: Scrolling) => boolean }
/** A line that somebody asks for is also shown where the output itself lies further down the page. */
export type Scrolling = { readonly align: Align; readonly isAsked: boolean }

type OutputRowsProps = {
  readonly ref: Ref<RowsHandle>
  readonly label: string
  readonly isFollowing: boolean
  readonly drawn: Drawn
  readonly onFollow: (isFollowing: boolean) => void
}

export function OutputRows({ ref, label, isFollowing, drawn, onFollow }: OutputRowsProps) {
  // Its rows are drawn once it is there: which of them are in view is read from it.
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const places = useRef<RowPlaces>(null)
  useImperativeHandle(ref, () => ({
    scrollTo: (row, { align, isAsked }) => {
      if (!place?.clientHeight || !places.current) return false
      if (isAsked) place.scrollIntoView({ block: 'nearest' })
      // What is in view stays where it is.
      const depth = places.current.topOf(row) - place.scrollTop
      if (align === 'start' || depth < 0 || depth > place.clientHeight - HEIGHTS.line) places.current.goTo(row, align)
      return true
    },
  }))
  useLayoutEffect(() => {
    if (isFollowing && place) place.scrollTop = place.scrollHeight
  })
  const scrolling = useScrolling({ isFollowing, onFollow })
  const digits = { '--digits': String(drawn.log.store.count).length } as CSSProperties
  const isEven = !drawn.isWrapped && drawn.marked === undefined && drawn.current === undefined
  return (
    <div
      ref={setPlace}
      className={styles.log}
      style={digits}
      role="log"
      aria-live="off"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do
      tabIndex={0}
      {...scrolling}
    >
      {place && isEven ? <EvenRows ref={places} {...{ place, isFollowing, drawn }} /> : undefined}
      {place && !isEven ? <MeasuredRows ref={places} {...{ place, drawn }} /> : undefined}
    </div>
  )
}
