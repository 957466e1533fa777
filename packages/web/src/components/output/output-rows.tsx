// Scrolling viewport of the output. Following keeps the newest line in view; scrolling up pauses it.
import { type CSSProperties, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import styles from './lines.module.css'
import { HEIGHTS } from './row-heights.ts'
import { useScrolling } from './use-scrolling.ts'
import { type Align, type RowPositions, type RowsView, VirtualRows } from './virtual-rows.tsx'

/** Returns false while the output is hidden: phones show either steps or output. */
export type RowsHandle = { readonly scrollTo: (row: number, how: Scrolling) => boolean }
/** `isRequested`: also scrolls the page to the output. */
export type Scrolling = { readonly align: Align; readonly isRequested: boolean }

type OutputRowsProps = {
  readonly ref: Ref<RowsHandle>
  readonly label: string
  readonly isFollowing: boolean
  /** Number of lines, for the width of their numbers. */
  readonly count: number
  readonly view: RowsView
  readonly onFollow: (isFollowing: boolean) => void
}

export function OutputRows({ ref, label, isFollowing, count, view, onFollow }: OutputRowsProps) {
  // Rows need the element: its scroll position tells which are in view.
  const [viewport, setViewport] = useState<HTMLElement | null>(null)
  const positions = useRef<RowPositions>(null)
  useImperativeHandle(ref, () => ({
    scrollTo: (row, { align, isRequested }) => {
      if (!viewport?.clientHeight || !positions.current) return false
      if (isRequested) viewport.scrollIntoView({ block: 'nearest' })
      // Rows in view are not moved.
      const depth = positions.current.topOf(row) - viewport.scrollTop
      if (align === 'start' || depth < 0 || depth > viewport.clientHeight - HEIGHTS.line)
        positions.current.scrollTo(row, align)
      return true
    },
  }))
  // The end of the output may be below the window, or behind the toolbar of phones.
  useEffect(() => {
    if (isFollowing) viewport?.scrollIntoView({ block: 'nearest' })
  }, [isFollowing, viewport])
  const scrolling = useScrolling({ isFollowing, onFollow })
  const digits = { '--digits': String(count).length } as CSSProperties
  return (
    <div
      ref={setViewport}
      className={styles.log}
      style={digits}
      role="log"
      aria-live="off"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do
      tabIndex={0}
      {...scrolling}
    >
      {viewport ? <VirtualRows ref={positions} viewport={viewport} isFollowing={isFollowing} view={view} /> : undefined}
    </div>
  )
}
