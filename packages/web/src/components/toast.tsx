// Short messages in a corner of the page. Errors are always shown elsewhere, too.
import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { observable } from '../data/observable.ts'
import { StatusIcon } from '../status/status-icon.tsx'
import { Button } from './button.tsx'
import styles from './layers.module.css'

type Toast = { readonly id: number; readonly words: ReactNode; readonly isError: boolean }

const SHOWN_MS = 6_000
const toasts = observable<readonly Toast[]>([])
let last = 0

export function showToast(words: ReactNode, { isError = false } = {}): void {
  last += 1
  toasts.set([...toasts.get().slice(-2), { id: last, words, isError }])
}

export function Toasts() {
  const shown = toasts.use()
  return (
    <div className={styles.toasts} role="status">
      {shown.map((toast) => (
        <OneToast key={toast.id} {...toast} />
      ))}
    </div>
  )
}

function OneToast({ id, words, isError }: Toast) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div className={styles.toast}>
      <StatusIcon shape={isError ? 'octagon' : 'ticked'} tone={isError ? 'bad' : 'good'} size={16} />
      <span className="grow">{words}</span>
      <Button variant="quiet" isSmall isIcon aria-label="Dismiss" onClick={() => dismiss(id)}>
        <X size={14} strokeWidth={1.5} aria-hidden="true" />
      </Button>
    </div>
  )
}

const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id))
