// Which forms of the page have changes that were not saved. Leaving the page asks about them (`layout/leave-unsaved.tsx`).
import { useEffect, useId } from 'react'
import { observable } from '../data/observable.ts'

const unsaved = observable<ReadonlySet<string>>(new Set())

export const hasUnsaved = (): boolean => unsaved.get().size > 0

/** The user gave the changes up: the forms may stay mounted until the next page is drawn, and no longer count. */
export const abandonUnsaved = (): void => unsaved.set(new Set())

/** The form counts while it is mounted and changed. */
export function useUnsaved(isChanged: boolean): void {
  const form = useId()
  useEffect(() => {
    if (!isChanged) return
    unsaved.set(new Set([...unsaved.get(), form]))
    return () => unsaved.set(new Set([...unsaved.get()].filter((other) => other !== form)))
  }, [isChanged, form])
}
