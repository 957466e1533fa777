// Menu button after the ARIA pattern. Disabled items show their reason.
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import styles from './layers.module.css'
import { placeNextTo } from './place-next-to.ts'

type Trigger = {
  readonly popoverTarget: string
  readonly id: string
  readonly 'aria-haspopup': 'menu'
}
type MenuProps = {
  /** Renders the button with the attributes that open the menu. */
  readonly trigger: (wiring: Trigger) => ReactNode
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

export function Menu({ trigger, label, children, align = 'end' }: MenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const button = `${id}-button`
  return (
    <>
      {trigger({ popoverTarget: id, id: button, 'aria-haspopup': 'menu' })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles.menu}
        onToggle={({ newState }) => newState === 'open' && open(menu.current, document.getElementById(button), align)}
        onKeyDown={moveFocus}
        onClick={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  )
}

type ItemProps = {
  readonly children: ReactNode
  readonly onChoose: () => void
  readonly isDanger?: boolean
  readonly disabledReason?: string | undefined
}

export function MenuItem({ children, onChoose, isDanger = false, disabledReason }: ItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={isDanger ? `${styles.item} ${styles.danger}` : styles.item}
      aria-disabled={disabledReason !== undefined || undefined}
      onClick={(event) => (disabledReason === undefined ? onChoose() : event.stopPropagation())}
    >
      {disabledReason === undefined ? (
        children
      ) : (
        <span>
          {children}
          <span className={styles.reason}>{disabledReason}</span>
        </span>
      )}
    </button>
  )
}

function open(menu: HTMLElement | null, button: HTMLElement | null, align: 'start' | 'end'): void {
  if (menu === null || button === null) return
  placeNextTo(menu, button, align)
  itemsOf(menu)[0]?.focus()
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  // Closing gives the focus back to the button, and Tab then goes on from there.
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  const items = itemsOf(event.currentTarget)
  const at = items.findIndex((item) => item.matches(':focus'))
  const next = NEXT[event.key]?.(at, items.length)
  if (next === undefined) return
  event.preventDefault()
  items[next]?.focus()
}

const NEXT: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

const itemsOf = (menu: HTMLElement): readonly HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role=menuitem]'),
]
