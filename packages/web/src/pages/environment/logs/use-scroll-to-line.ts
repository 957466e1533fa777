// Scrolls to the line of the address or of the search, once it has a row.
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { RowsHandle } from '../../../components/output/output-rows.tsx'
import type { RowIndex } from '../../../components/output/row-index.ts'

type ScrollOptions = {
  readonly list: RefObject<RowsHandle | null>
  readonly rows: RowIndex
  /** Number of the line of the address; the first is 1. */
  readonly marked: number | undefined
  readonly pause: () => void
}

export function useScrollToLine({ list, rows, marked, pause }: ScrollOptions): (line: number) => void {
  const [target, setTarget] = useState<number>()
  const goTo = (line: number): void => {
    pause()
    setTarget(line)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another line is another target
  useEffect(() => {
    if (marked !== undefined) goTo(marked - 1)
  }, [marked])
  useLayoutEffect(() => {
    const row = target === undefined ? undefined : rows.rowOfLine(target)
    if (row !== undefined && list.current?.scrollTo(row, { align: 'center', isRequested: false })) setTarget(undefined)
  })
  return goTo
}
