// Rows whose heights are known: of which the ones in view are found by arithmetic alone, however many there are.
import { type RefObject, useImperativeHandle, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './lines.module.css'
import { type Drawn, OutputRow } from './output-row.tsx'
import { HEIGHTS } from './row-heights.ts'
import type { RowIndex } from './row-index.ts'
import type { RowPlaces } from './row-places.ts'

type EvenRowsProps = {
  readonly ref: RefObject<RowPlaces | null>
  readonly place: HTMLElement
  readonly isFollowing: boolean
  readonly drawn: Drawn
}

export function EvenRows({ ref, place, isFollowing, drawn }: EvenRowsProps) {
  const { rows } = drawn
  const { first, end } = useRowsInView({ place, rows, isFollowing })
  useImperativeHandle(ref, () => placesOf(place, rows), [place, rows])
  const inView = Array.from({ length: end - first }, (_, index) => first + index)
  return (
    <div className={styles.all} style={{ height: rows.topOf(rows.count, HEIGHTS) }}>
      <div className={styles.even} style={{ transform: `translateY(${rows.topOf(first, HEIGHTS)}px)` }}>
        {inView.map((row) => (
          <OutputRow key={rows.keyOf(row)} row={row} drawn={drawn} />
        ))}
      </div>
    </div>
  )
}

/** Rows come and go by so many at once, beyond what is in view: most lines that are printed or scrolled past change one row or none. */
const AT_ONCE = 6

type InView = { readonly first: number; readonly end: number }
type Given = Pick<EvenRowsProps, 'place' | 'isFollowing'> & { readonly rows: RowIndex }

function useRowsInView({ place, rows, isFollowing }: Given): InView {
  const [seen, setSeen] = useState({ top: 0, height: 0 })
  useLayoutEffect(() => {
    const measure = (): void => {
      const { scrollTop: top, clientHeight: height } = place
      setSeen((before) => (isNear(before, { top, height }) ? before : { top, height }))
    }
    // At once, so that nobody sees a place without its rows.
    const onScroll = (): void => flushSync(measure)
    const sizes = new ResizeObserver(measure)
    measure()
    sizes.observe(place)
    place.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      sizes.disconnect()
      place.removeEventListener('scroll', onScroll)
    }
  }, [place])
  // Whoever follows is taken to the end when this is drawn.
  const top = isFollowing ? rows.topOf(rows.count, HEIGHTS) - seen.height : seen.top
  const first = rows.rowAt(top, HEIGHTS) - AT_ONCE
  const last = rows.rowAt(top + seen.height, HEIGHTS) + AT_ONCE
  return {
    first: Math.max(0, Math.floor(first / AT_ONCE) * AT_ONCE),
    end: Math.min(rows.count, Math.ceil((last + 1) / AT_ONCE) * AT_ONCE),
  }
}

type Seen = { readonly top: number; readonly height: number }

const isNear = (before: Seen, { top, height }: Seen): boolean =>
  before.height === height && Math.abs(before.top - top) < (AT_ONCE / 2) * HEIGHTS.line

const placesOf = (place: HTMLElement, rows: RowIndex): RowPlaces => ({
  topOf: (row) => rows.topOf(row, HEIGHTS),
  goTo: (row, align) => {
    const spare = place.clientHeight - (rows.isFold(row) ? HEIGHTS.fold : HEIGHTS.line)
    place.scrollTop = rows.topOf(row, HEIGHTS) - { start: 0, center: spare / 2, end: spare }[align]
  },
})
