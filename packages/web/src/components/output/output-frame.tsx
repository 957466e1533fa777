// Frame of an output view: title, search and switches above the lines, a footer below them.
import { ArrowDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import styles from './output.module.css'
import { OutputSearch } from './output-search.tsx'
import { FollowToggle } from './output-toggles.tsx'
import type { Follow } from './use-follow.ts'
import type { LogSearchState } from './use-log-search.ts'

type OutputFrameProps = {
  readonly title: string
  readonly search: LogSearchState
  readonly follow: Follow
  /** More lines may come. */
  readonly isGrowing: boolean
  /** Below title and search. */
  readonly filters?: ReactNode
  readonly tools: ReactNode
  /** Why there are no lines. */
  readonly nothing: ReactNode
  readonly below?: ReactNode
  readonly foot: ReactNode
  /** The lines. */
  readonly children: ReactNode
}

export function OutputFrame(props: OutputFrameProps) {
  const { title, search, follow, isGrowing, filters, tools, nothing, below, foot, children } = props
  const field = useRef<HTMLInputElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    field.current?.focus()
    field.current?.select()
  }
  return (
    <section className={styles.pane} aria-label={title} onKeyDown={onKeyDown}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <OutputSearch ref={field} search={search} />
        <FollowToggle isFollowing={follow.isFollowing} onFollow={follow.set} />
        {tools}
      </div>
      {filters}
      {nothing}
      <div className={styles.body}>
        {children}
        {follow.newLines > 0 && isGrowing ? (
          <button type="button" className={styles.newLines} onClick={() => follow.set(true)}>
            <ArrowDown size={13} strokeWidth={1.5} aria-hidden="true" />
            {follow.newLines === 1 ? '1 new line' : `${follow.newLines.toLocaleString('en-US')} new lines`}
          </button>
        ) : undefined}
      </div>
      {below === undefined ? undefined : <div className={styles.below}>{below}</div>}
      {foot}
    </section>
  )
}
