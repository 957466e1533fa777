// Shows a sentence while its child is hovered or focused, above everything else on the page. Escape hides it. Hidden from screen readers:
// callers repeat the text for them.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import styles from './layers.module.css'
import { placeNextTo } from './place-next-to.ts'

const AFTER_MS = 300

export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  const anchor = useRef<HTMLSpanElement>(null)
  const tooltip = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const showSoon = (): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => show(tooltip.current, anchor.current), AFTER_MS)
  }
  const hide = (): void => {
    clearTimeout(timer.current)
    if (isShown(tooltip.current)) tooltip.current?.hidePopover()
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the child is what is used; this only sees when
    <span
      ref={anchor}
      className={styles.withTooltip}
      onPointerEnter={showSoon}
      onPointerLeave={hide}
      onFocus={showSoon}
      onBlur={hide}
      onKeyDown={({ key }: KeyboardEvent) => key === 'Escape' && hide()}
    >
      {children}
      <span ref={tooltip} popover="manual" className={styles.tooltip} aria-hidden="true">
        {text}
      </span>
    </span>
  )
}

function show(tooltip: HTMLElement | null, anchor: HTMLElement | null): void {
  if (tooltip === null || anchor === null || isShown(tooltip)) return
  tooltip.showPopover()
  placeNextTo(tooltip, anchor, 'end')
}

const isShown = (tooltip: HTMLElement | null): boolean => tooltip?.matches(':popover-open') === true
