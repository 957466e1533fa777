// Layout shifts of a page, as the browser reports them: what moved, and by how much of the window.
import type { Page } from 'playwright-core'

export type LayoutShift = { readonly value: number; readonly moved: readonly string[] }

/** Runs in the page, before its scripts. */
export function noteShifts(): void {
  type Rectangle = { readonly x: number; readonly y: number }
  type Source = { readonly node: Node | null; readonly previousRect: Rectangle; readonly currentRect: Rectangle }
  type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: readonly Source[] }
  const kept: LayoutShift[] = []
  const nameOf = ({ node, previousRect: from, currentRect: to }: Source): string => {
    const element = node instanceof Element ? node : node?.parentElement
    return `${element?.tagName} “${element?.textContent?.slice(0, 30)}” ${from.x},${from.y} to ${to.x},${to.y}`
  }
  const take = (list: PerformanceEntryList): void => {
    for (const entry of list as Entry[])
      if (!entry.hadRecentInput) kept.push({ value: entry.value, moved: entry.sources.map(nameOf) })
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  Object.assign(globalThis, { shifts: kept, takeShifts: () => take(observer.takeRecords()) })
}

declare const shifts: LayoutShift[]
declare const takeShifts: () => void

/** After two frames, which report what the last change moved. */
export const shiftsOf = (page: Page): Promise<readonly LayoutShift[]> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    takeShifts()
    return shifts
  })
