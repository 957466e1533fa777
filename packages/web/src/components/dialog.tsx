// Modal dialogs on the native dialog element: the browser traps the focus, closes on Escape, and gives the focus back to the opener.
// Dialog, menu, tooltip and combobox of Base UI 1.9 would add 75 KB to a first load of 150 KB, of at most 200.
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { keepFocus } from './keep-focus.ts'
import styles from './layers.module.css'
import { Region } from './region.tsx'

type DialogProps = {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Has input or something that is shown once, so a click beside it never closes it: Escape and its buttons do. */
export function Dialog({ title, isOpen, onClose, isWide = false, children }: DialogProps) {
  const titleId = useId()
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      className={isWide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={titleId}
    >
      <div className={styles.content}>
        <h2 id={titleId}>{title}</h2>
        <Region name={title} onClose={onClose}>
          {children}
        </Region>
      </div>
    </Modal>
  )
}

/** Footer buttons; the one that acts comes last. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}

type ModalProps = Pick<DialogProps, 'isOpen' | 'onClose' | 'children'> & {
  readonly className: string | undefined
  /** For what keeps nothing of the user: the palette, the menu of phones. */
  readonly closesOnClickBeside?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-labelledby'?: string
}

/** Mounts its content when it opens and unmounts it when it closes. */
export function Modal({ isOpen, ...props }: ModalProps) {
  return isOpen ? <OpenModal {...props} /> : null
}

function OpenModal({ onClose, closesOnClickBeside = false, children, ...rest }: Omit<ModalProps, 'isOpen'>) {
  const element = useRef<HTMLDialogElement>(null)
  const pressedBeside = useRef(false)
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
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // The backdrop counts as the element itself. Text that is selected inside and released outside ends in a click here, too.
      onPointerDown={({ target, currentTarget }) => {
        pressedBeside.current = target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        if (closesOnClickBeside && pressedBeside.current && target === currentTarget) onClose()
      }}
    >
      {children}
    </dialog>
  )
}
