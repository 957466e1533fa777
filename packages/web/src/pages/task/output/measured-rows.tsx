// Rows that may be wrapped: each is as high as it turns out to be.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useImperativeHandle, useLayoutEffect } from 'react'
import styles from './lines.module.css'
import { type Drawn, OutputRow } from './output-row.tsx'
import { HEIGHTS } from './row-heights.ts'
import type { RowPlaces } from './row-places.ts'

type MeasuredRowsProps = {
  readonly ref: RefObject<RowPlaces | null>
  readonly place: HTMLElement
  readonly drawn: Drawn
}

export function MeasuredRows({ ref, place, drawn }: MeasuredRowsProps) {
  const { rows, isWrapped } = drawn
  // With another of these all rows are measured anew: it changes with the rows alone, not with every drawing.
  const getItemKey = useCallback((row: number) => rows.keyOf(row), [rows])
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => place,
    estimateSize: (row) => (rows.isFold(row) ? HEIGHTS.fold : HEIGHTS.line),
    getItemKey,
    overscan: 12,
    initialOffset: () => place.scrollTop,
  })
  useImperativeHandle(
    ref,
    () => ({
      topOf: (row) => virtual.getOffsetForIndex(row, 'start')?.[0] ?? 0,
      goTo: (row, align) => virtual.scrollToIndex(row, { align }),
    }),
    [virtual],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: every row has another height then
  useLayoutEffect(() => virtual.measure(), [virtual, isWrapped])
  const items = virtual.getVirtualItems()
  return (
    <div className={styles.all} style={{ height: virtual.getTotalSize() }}>
      <div style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
        {items.map(({ index, key }) => (
          <div key={`${isWrapped}${key}`} data-index={index} ref={virtual.measureElement}>
            <OutputRow row={index} drawn={drawn} />
          </div>
        ))}
      </div>
    </div>
  )
}
