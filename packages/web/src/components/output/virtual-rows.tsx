// Virtual list of lines: renders only the rows in view. Rows are placed by arithmetic; whatever wraps is measured once rendered.
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { Hit } from '../../data/log/search.ts'
import { LineHeights } from './line-heights.ts'
import styles from './lines.module.css'
import { HEIGHTS } from './row-heights.ts'
import type { Heights, RowIndex } from './row-index.ts'

export type Align = 'start' | 'center' | 'end'
/** Positions in pixels from the first row. */
export type RowPositions = {
  readonly topOf: (row: number) => number
  readonly scrollTo: (row: number, align: Align) => void
}

/** Lines and folds to show, and which of them wrap. */
export type RowsView = {
  readonly rows: RowIndex
  readonly isWrapped: boolean
  /** Lines of the address; numbers start at 1. */
  readonly marked: { readonly first: number; readonly last: number } | undefined
  /** The current match of the search. */
  readonly current: Hit | undefined
  readonly renderRow: (row: number) => ReactNode
}

type VirtualRowsProps = {
  readonly ref: RefObject<RowPositions | null>
  readonly viewport: HTMLElement
  readonly isFollowing: boolean
  readonly view: RowsView
}

export function VirtualRows({ ref, viewport, isFollowing, view }: VirtualRowsProps) {
  const { rows } = view
  const seen = useViewport(viewport, isFollowing)
  const { heights, measure } = useMeasuredHeights(view, viewport.clientWidth)
  const { first, end } = rowsInView({ rows, heights, seen, isFollowing })
  const list = useRef<HTMLDivElement>(null)
  /** Where `scrollTo` went. Repeated until the rows around it are measured, unless the user scrolls. */
  const target = useRef<{ readonly row: number; readonly align: Align; readonly top: number }>(undefined)
  const scrollTo = (row: number, align: Align): void => {
    const height = rows.topOf(row + 1, heights) - rows.topOf(row, heights)
    const spare = viewport.clientHeight - height
    viewport.scrollTop = rows.topOf(row, heights) - { start: 0, center: spare / 2, end: spare }[align]
    target.current = { row, align, top: viewport.scrollTop }
  }
  useImperativeHandle(ref, () => ({ topOf: (row) => rows.topOf(row, heights), scrollTo }))
  useLayoutEffect(() => {
    const top = viewport.scrollTop
    if (Math.abs(top - (target.current?.top ?? top)) > 1) target.current = undefined
    const above = measure(list.current, first, (row) => rows.topOf(row, heights) < top)
    const { row, align } = target.current ?? {}
    if (row !== undefined && align !== undefined && row >= first && row < end) {
      if (above === undefined) target.current = undefined
      else scrollTo(row, align)
      // Keeps the text in place when rows above it turn out higher.
    } else if (above !== undefined && row === undefined) viewport.scrollTop = top + above
    if (isFollowing) viewport.scrollTop = viewport.scrollHeight
  })
  const inView = Array.from({ length: end - first }, (_, index) => first + index)
  return (
    <div className={styles.all} style={{ height: rows.topOf(rows.count, heights) }}>
      <div ref={list} className={styles.rows} style={{ transform: `translateY(${rows.topOf(first, heights)}px)` }}>
        {inView.map((row) => (
          <Fragment key={rows.keyOf(row)}>{view.renderRow(row)}</Fragment>
        ))}
      </div>
    </div>
  )
}

/** Rows are added and removed in groups of this size, so that most scrolling and printing renders nothing new. */
const GROUP = 6

type Seen = { readonly top: number; readonly height: number }

/** While following, the end of the rows is in view, whatever the scroll position: a flood of output then renders once per frame. */
function useViewport(viewport: HTMLElement, isFollowing: boolean): Seen {
  const [seen, setSeen] = useState<Seen>({ top: 0, height: 0 })
  useLayoutEffect(() => {
    const update = (): void => {
      const { scrollTop: top, clientHeight: height } = viewport
      setSeen((before) => (isNear(before, { top: isFollowing ? before.top : top, height }) ? before : { top, height }))
    }
    // Renders at once, so that no frame shows an empty viewport.
    const onScroll = (): void => flushSync(update)
    const sizes = new ResizeObserver(update)
    update()
    sizes.observe(viewport)
    viewport.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      sizes.disconnect()
      viewport.removeEventListener('scroll', onScroll)
    }
  }, [viewport, isFollowing])
  return seen
}

const isNear = (before: Seen, { top, height }: Seen): boolean =>
  before.height === height && Math.abs(before.top - top) < (GROUP / 2) * HEIGHTS.line

type InView = {
  readonly rows: RowIndex
  readonly heights: Heights
  readonly seen: Seen
  readonly isFollowing: boolean
}

function rowsInView({ rows, heights, seen, isFollowing }: InView): { readonly first: number; readonly end: number } {
  // Following scrolls to the end after this render.
  const top = isFollowing ? rows.topOf(rows.count, heights) - seen.height : seen.top
  const first = rows.rowAt(top, heights) - GROUP
  const last = rows.rowAt(top + seen.height, heights) + GROUP
  return {
    first: Math.max(0, Math.floor(first / GROUP) * GROUP),
    end: Math.min(rows.count, Math.ceil((last + 1) / GROUP) * GROUP),
  }
}

/** Only wrapped lines are measured: all of them in wrap mode, otherwise marked lines and the current match. */
function useMeasuredHeights({ rows, isWrapped, marked, current }: RowsView, width: number) {
  const layout = isWrapped ? `${width}` : `${width} ${marked?.first}-${marked?.last} ${current?.line}`
  const measured = useRef({ layout, lines: new LineHeights() })
  const [, render] = useReducer((count: number) => count + 1, 0)
  if (measured.current.layout !== layout) measured.current = { layout, lines: new LineHeights() }
  const { lines } = measured.current
  const hasWrapped = isWrapped || marked !== undefined || current !== undefined
  const heights: Heights = { ...HEIGHTS, extraOf: (first, end) => lines.between(first, end) }
  /** Returns by how much the rows above grew, or undefined if no height changed. */
  const measure = (list: HTMLElement | null, first: number, isAbove: (row: number) => boolean): number | undefined => {
    if (!hasWrapped || list === null) return undefined
    let above: number | undefined
    for (const [index, element] of [...list.children].entries()) {
      const row = rows.at(first + index)
      if (row?.type !== 'line') continue
      const isOver = isAbove(first + index)
      const extra = Math.max(0, element.getBoundingClientRect().height - HEIGHTS.line)
      const change = lines.set(row.line, Math.round(extra * 100) / 100)
      if (change !== 0) above = (above ?? 0) + (isOver ? change : 0)
    }
    if (above !== undefined) render()
    return above
  }
  return { heights, measure }
}
