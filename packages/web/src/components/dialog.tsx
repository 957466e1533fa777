// Modal dialogs on the native dialog element: the browser traps the focus, and gives it back to the opener.
// Dialog, menu, tooltip and combobox of Base UI 1.9 would add 75 KB to a first load of 150 KB, of at most 200.
import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './layers.module.css'
import { Region } from './region.tsx'
import { Notice } from './states.tsx'

type DialogProps = {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A click beside it never closes it. Escape does, but asks before it discards input, and leaves a secret that is shown once. */
export function Dialog({ isOpen, ...props }: DialogProps) {
  return isOpen ? <OpenDialog {...props} /> : null
}

function OpenDialog({ title, onClose, isWide = false, children }: Omit<DialogProps, 'isOpen'>) {
  const titleId = useId()
  const content = useRef<HTMLDivElement>(null)
  const hasInput = useRef(false)
  /** What had the focus before the question. */
  const [asked, setAsked] = useState<{ readonly focused: Element | null }>()
  const has = (selector: string): boolean => content.current?.querySelector(selector) !== null
  const keep = (): void => {
    if (asked?.focused instanceof HTMLElement) asked.focused.focus()
    setAsked(undefined)
  }
  const onEscape = (): void => {
    if (has(`[${SHOWN_ONCE}]`)) return
    if (asked) keep()
    else if (hasInput.current && has('input, textarea, select')) setAsked({ focused: document.activeElement })
    else onClose()
  }
  return (
    <OpenModal
      onClose={onEscape}
      className={isWide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={titleId}
    >
      <div
        ref={content}
        className={styles.content}
        onInput={() => {
          hasInput.current = true
        }}
      >
        <h2 id={titleId}>{title}</h2>
        {asked ? <Discard onKeep={keep} onDiscard={onClose} /> : undefined}
        <Region name={title} onClose={onClose}>
          {children}
        </Region>
      </div>
    </OpenModal>
  )
}

function Discard({ onKeep, onDiscard }: { readonly onKeep: () => void; readonly onDiscard: () => void }) {
  return (
    <div role="alert">
      <Notice
        action={
          <span className="row">
            <Button isSmall autoFocus onClick={onKeep}>
              Keep editing
            </Button>
            <Button isSmall variant="danger" onClick={onDiscard}>
              Discard
            </Button>
          </span>
        }
      >
        Discard what you entered?
      </Notice>
    </div>
  )
}

const SHOWN_ONCE = 'data-shown-once'

/** Notice beside a secret that cannot be shown again. The dialog around it closes by its button alone. */
export function ShownOnce(notice: Pick<ComponentProps<typeof Notice>, 'tone' | 'children'>) {
  return (
    <div {...{ [SHOWN_ONCE]: '' }}>
      <Notice {...notice} />
    </div>
  )
}

/** Footer buttons; the one that acts comes last. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}

type ModalProps = {
  readonly isOpen: boolean
  /** Escape, the gesture "back" of a phone, or a click beside it. */
  readonly onClose: () => void
  readonly className: string | undefined
  /** For what keeps nothing of the user: the palette, the menu of phones. */
  readonly closesOnOutsideClick?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-labelledby'?: string
  readonly children: ReactNode
}

/** Mounts its content when it opens and unmounts it when it closes. */
export function Modal({ isOpen, ...props }: ModalProps) {
  return isOpen ? <OpenModal {...props} /> : null
}

function OpenModal({ onClose, closesOnOutsideClick = false, children, ...rest }: Omit<ModalProps, 'isOpen'>) {
  const element = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  // A layout effect: its clean-up runs before React removes the element, and only a dialog that is closed gives the focus back.
  useLayoutEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener !== document.body) queueMicrotask(() => keepFocus(opener))
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the browser sees to
    <dialog
      ref={element}
      {...rest}
      // Chromium closes it at the third Escape without other input in between, and no handler can prevent that: it opens again.
      onCancel={(event) => {
        if (!event.cancelable) return
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        if (currentTarget.open || !currentTarget.isConnected) return
        currentTarget.showModal()
        onClose()
      }}
      // The backdrop counts as the element itself. Text that is selected inside and released outside ends in a click here, too.
      onPointerDown={({ target, currentTarget }) => {
        pressedOutside.current = target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        if (closesOnOutsideClick && pressedOutside.current && target === currentTarget) onClose()
      }}
    >
      {children}
    </dialog>
  )
}

/**
 * Moves the focus to the page if the element that has it is removed, such as the button of a row that was just deleted. Ends when the focus
 * moves on.
 */
function keepFocus(element: Element | null): void {
  const check = (): void => {
    const { activeElement } = document
    if (activeElement === element) return
    observer.disconnect()
    if (activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(check)
  observer.observe(document.body, { childList: true, subtree: true })
  check()
}
