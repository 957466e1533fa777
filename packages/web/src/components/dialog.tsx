// Modal dialogs on the native dialog element: the browser traps the focus, closes on Escape, and restores the focus.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './layers.module.css'

type DialogProps = {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly isWide?: boolean
  readonly children: ReactNode
}

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
        {children}
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
  readonly 'aria-label'?: string
  readonly 'aria-labelledby'?: string
}

/** Mounts its content when it opens and unmounts it when it closes. */
export function Modal({ isOpen, onClose, children, ...rest }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    if (!isOpen || dialog === null) return
    dialog.showModal()
    return () => dialog.close()
  }, [isOpen])
  if (!isOpen) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the browser sees to
    <dialog
      ref={element}
      {...rest}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {children}
    </dialog>
  )
}
