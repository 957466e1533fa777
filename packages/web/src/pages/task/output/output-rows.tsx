// The rows that can be seen, of however many there are. While it follows, the newest line stays in view; scrolling up pauses it.
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type MouseEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { Hit } from '../../../data/log/search.ts'
import type { TaskLog } from '../../../data/log/task-log.ts'
import { hitsOf } from './hits-of-line.ts'
import styles from './lines.module.css'
import type { MarkedLines } from './marked-lines.ts'
import { OutputFold } from './output-fold.tsx'
import { OutputLine } from './output-line.tsx'
import type { RowIndex } from './row-index.ts'
import type { Section } from './sections.ts'
import { useScrolling } from './use-scrolling.ts'

/** False where the rows cannot be seen now: on a phone the steps may be in their place. */
export type RowsHandle = { readonly scrollTo: (row: number, how: Scrolling) => boolean }
/** A line that somebody asks for is also shown where the output itself lies further down the page. */
export type Scrolling = { readonly align: 'start' | 'center' | 'end'; readonly isAsked: boolean }

type OutputRowsProps = {
  readonly ref: Ref<RowsHandle>
  readonly log: TaskLog
  readonly label: string
  readonly rows: RowIndex
  readonly isWrapped: boolean
  readonly isFollowing: boolean
  readonly isGrowing: boolean
  readonly marked: MarkedLines | undefined
  readonly guilty: number | undefined
  readonly hits: readonly Hit[]
  readonly current: Hit | undefined
  readonly onToggle: (section: Section, isOpen: boolean) => void
  readonly onChoose: (number: number, event: MouseEvent) => void
  readonly onFollow: (isFollowing: boolean) => void
}

/** Rows are as high as the letters of the page are large. */
const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
const LINE = 19 * rem
const FOLD = (matchMedia('(max-width: 720px)').matches ? 44 : 28) * rem

export function OutputRows({ ref, log, rows, isWrapped, isFollowing, onFollow, label, ...drawn }: OutputRowsProps) {
  const place = useRef<HTMLDivElement>(null)
  // With another of these all rows are measured anew: it changes with the rows alone, not with every drawing.
  const getItemKey = useCallback((row: number) => rows.keyOf(row), [rows])
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => place.current,
    estimateSize: (row) => (rows.isFold(row) ? FOLD : LINE),
    getItemKey,
    overscan: 12,
  })
  useImperativeHandle(
    ref,
    () => ({
      scrollTo: (row, { align, isAsked }) => {
        if (!place.current?.clientHeight) return false
        if (isAsked) place.current.scrollIntoView({ block: 'nearest' })
        // What is in view stays where it is.
        const [top = 0] = virtual.getOffsetForIndex(row, 'start') ?? []
        const depth = top - place.current.scrollTop
        if (align === 'start' || depth < 0 || depth > place.current.clientHeight - LINE)
          virtual.scrollToIndex(row, { align })
        return true
      },
    }),
    [virtual],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: every row has another height then
  useLayoutEffect(() => virtual.measure(), [virtual, isWrapped])
  useLayoutEffect(() => {
    if (isFollowing && place.current) place.current.scrollTop = place.current.scrollHeight
  })
  const scrolling = useScrolling({ isFollowing, onFollow })
  const items = virtual.getVirtualItems()
  const digits = String(log.store.count).length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do
    <div ref={place} className={styles.log} role="log" aria-live="off" aria-label={label} tabIndex={0} {...scrolling}>
      <div className={styles.all} style={{ height: virtual.getTotalSize(), '--digits': digits } as CSSProperties}>
        <div style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index, key }) => (
            <div key={`${isWrapped}${key}`} data-index={index} ref={virtual.measureElement}>
              <OutputRow row={index} {...{ log, rows, isWrapped }} {...drawn} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

type OutputRowProps = Omit<OutputRowsProps, 'ref' | 'label' | 'isFollowing' | 'onFollow'> & { readonly row: number }

function OutputRow(props: OutputRowProps) {
  const { row, rows, log, isWrapped, isGrowing, marked, guilty, hits, current, onToggle, onChoose } = props
  const shown = rows.at(row)
  if (shown === undefined) return null
  if (shown.type === 'fold') return <OutputFold section={shown.section} isOpen={shown.isOpen} onToggle={onToggle} />
  const { line } = shown
  const number = line + 1
  const isMarked = marked !== undefined && number >= marked.first && number <= marked.last
  return (
    <OutputLine
      number={number}
      text={log.store.lineAt(line)}
      marks={hitsOf(line, hits, current)}
      isMarked={isMarked}
      isGuilty={number === guilty}
      isWhole={isWrapped || isMarked || current?.line === line}
      hasCaret={isGrowing && line === log.store.count - 1}
      onChoose={onChoose}
    />
  )
}
