// Search field of the output: typing goes to the first match, Enter and Shift-Enter move between matches, Escape clears.
import { ArrowDown, ArrowUp, Search } from 'lucide-react'
import type { KeyboardEvent, Ref } from 'react'
import { Button } from '../button.tsx'
import styles from './output.module.css'
import type { LogSearchState } from './use-log-search.ts'

const icon = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const

export function OutputSearch({
  ref,
  search,
}: {
  readonly ref: Ref<HTMLInputElement>
  readonly search: LogSearchState
}) {
  const { wanted, words, hits, want, step } = search
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') want('')
    else return
    event.preventDefault()
  }
  return (
    <>
      <label className={styles.search}>
        <Search {...icon} />
        <span className="visually-hidden">Search the output</span>
        <input
          ref={ref}
          value={wanted}
          placeholder="Search"
          spellCheck={false}
          autoComplete="off"
          aria-keyshortcuts="Control+F"
          onChange={({ target }) => want(target.value)}
          onKeyDown={onKeyDown}
        />
        <span className="tiny faint figures" role="status">
          {words}
        </span>
      </label>
      {hits.length > 0 ? (
        <span className={styles.steps}>
          <Button variant="quiet" isSmall isIcon aria-label="Previous match" onClick={() => step(-1)}>
            <ArrowUp {...icon} />
          </Button>
          <Button variant="quiet" isSmall isIcon aria-label="Next match" onClick={() => step(1)}>
            <ArrowDown {...icon} />
          </Button>
        </span>
      ) : undefined}
    </>
  )
}
