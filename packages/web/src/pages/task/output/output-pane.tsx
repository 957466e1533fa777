// Output of a task, folded by step. Follows a running task, and scrolls to the line or step of the address.
import type { Task } from '@shipway/api'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useCallback, useRef, useState } from 'react'
import styles from '../../../components/output/output.module.css'
import { OutputFrame } from '../../../components/output/output-frame.tsx'
import { OutputRows, type RowsHandle } from '../../../components/output/output-rows.tsx'
import { useFollow } from '../../../components/output/use-follow.ts'
import { useLogSearch } from '../../../components/output/use-log-search.ts'
import type { LineStore } from '../../../data/log/line-store.ts'
import { useTaskLog } from '../../../data/log/task-log.ts'
import type { KeyedStep } from '../steps/steps.ts'
import { hashOf, type MarkedLines, markedLines } from './marked-lines.ts'
import { OutputFoot } from './output-foot.tsx'
import { OutputRow, type RowContext } from './output-row.tsx'
import { OutputTools } from './output-tools.tsx'
import { useFolds } from './use-folds.ts'
import { useScrollTarget } from './use-scroll-target.ts'

type OutputPaneProps = {
  readonly task: Task
  readonly label: string
  readonly steps: readonly KeyedStep[]
  /** Step named by the address. */
  readonly chosen: string | undefined
  /** Line that explains the failure. */
  readonly errorLine: number | undefined
  readonly isPhone: boolean
  /** Below the lines. */
  readonly children?: ReactNode
}

export function OutputPane({ task, label, steps, chosen, errorLine, isPhone, children }: OutputPaneProps) {
  const log = useTaskLog(task.id)
  const isGrowing = task.status === 'running'
  const isComing = log.store.count === 0 && (log.state === 'waiting' || hasOutput(steps))
  const marked = markedLines(useLocation({ select: ({ hash }) => hash }))
  const list = useRef<RowsHandle>(null)
  const [wraps, setWraps] = useState(false)
  const folds = useFolds({ steps, store: log.store })
  const follow = useFollow({
    isActive: task.finished_at === null,
    count: log.store.count,
    startsPaused: chosen !== undefined || marked !== undefined,
    onChange: (isFollowing) => (isFollowing ? folds.release() : folds.keepOpen()),
  })
  const target = useScrollTarget({ log, folds, list, steps, chosen, marked, task, pause: follow.pause })
  const search = useLogSearch(log, ({ line }) => target.goToLine(line))
  const choose = useChooseLine(marked?.first)
  const context: RowContext = {
    log,
    isGrowing,
    marked,
    errorLine,
    rows: folds.rows,
    isWrapped: wraps || isPhone,
    hits: search.hits,
    current: search.current,
    onToggle: folds.toggle,
    onChoose: choose,
  }
  return (
    <OutputFrame
      title="Output"
      search={search}
      follow={follow}
      isGrowing={isGrowing}
      tools={
        <OutputTools
          task={task}
          isWrapped={wraps}
          onWrap={setWraps}
          textToCopy={() => plainOutput(log.store, marked)}
        />
      }
      nothing={log.store.count === 0 ? <Nothing task={task} isComing={isComing} /> : undefined}
      below={children}
      foot={<OutputFoot log={log} taskId={task.id} isGrowing={isGrowing} isComing={isComing} />}
    >
      <OutputRows
        ref={list}
        label={label}
        isFollowing={follow.isFollowing}
        onFollow={(wanted) => (wanted ? isGrowing && follow.set(true) : follow.pause())}
        count={log.store.count}
        view={{ ...context, renderRow: (row) => <OutputRow row={row} context={context} /> }}
      />
    </OutputFrame>
  )
}

const hasOutput = (steps: readonly KeyedStep[]): boolean =>
  steps.some(({ step: { output } }) => output !== null && (output.to ?? 0) > 0)

/** `isComing`: there is output that has not arrived yet. */
function Nothing({ task, isComing }: { readonly task: Task; readonly isComing: boolean }) {
  if (task.finished_at !== null && !isComing) return <p className={styles.nothing}>No output.</p>
  return (
    <p className={styles.nothing}>
      {task.status === 'queued' ? 'Queued. The output appears here when the task starts.' : 'Waiting for output …'}
    </p>
  )
}

/** Puts the line into the address; with Shift, the range from the marked line. Memoized, so that lines do not re-render. */
function useChooseLine(first: number | undefined): (number: number, event: MouseEvent) => void {
  const navigate = useNavigate()
  return useCallback(
    (number, event) => {
      if (event.ctrlKey || event.metaKey) return
      event.preventDefault()
      const from = event.shiftKey && first !== undefined ? first : number
      const hash = hashOf({ first: Math.min(from, number), last: Math.max(from, number) })
      void navigate({
        to: '.',
        search: (search) => search,
        hash,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      })
    },
    [navigate, first],
  )
}

/** Text to copy: the marked lines, or everything that is kept. */
function plainOutput(store: LineStore, marked: MarkedLines | undefined): string {
  const first = marked === undefined ? store.dropped : Math.max(store.dropped, marked.first - 1)
  const end = marked === undefined ? store.count : Math.min(store.count, marked.last)
  const lines = Array.from({ length: Math.max(0, end - first) }, (_, index) => store.textAt(first + index))
  return `${lines.join('\n')}\n`
}
