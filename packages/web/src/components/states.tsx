// Empty, loading and error states of lists, and notices.
import { ApiError } from '@shipway/api'
import type { ReactNode } from 'react'
import type { Shape } from '../status/appearance.ts'
import { StatusIcon } from '../status/status-icon.tsx'
import { Button } from './button.tsx'
import styles from './states.module.css'

type Empty = { readonly title: string; readonly children: ReactNode; readonly action?: ReactNode }

export function Empty({ title, children, action }: Empty) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p className="quiet small">{children}</p>
      {action}
    </div>
  )
}

/** Skeleton rows with the height of the content. CSS delays them, so that fast loads do not flicker. */
export function Loading({ rows = 4, what }: { readonly rows?: number; readonly what: string }) {
  return (
    <div className={styles.skeleton} aria-busy="true">
      <span className="visually-hidden">{what} …</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing are all alike
        <div key={row} className={styles.skeletonRow} aria-hidden="true">
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}

/** In place of a fact that has not arrived yet. */
export function Pending({ what }: { readonly what: string }) {
  return (
    <span className={styles.pending} aria-busy="true">
      <span className="visually-hidden">{what} …</span>
    </span>
  )
}

export function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <Fault title="Loading failed" error={error}>
      <Button isSmall onClick={onRetry}>
        Try again
      </Button>
    </Fault>
  )
}

/** `children`: what the user can do about it. */
export function Fault({ title, error, children }: Pick<Empty, 'title' | 'children'> & { readonly error: Error }) {
  return (
    <div className={styles.error} role="alert">
      <h2 className="row">
        <StatusIcon shape="octagon" tone="bad" size={16} />
        {title}
      </h2>
      <p className="quiet small">{error.message}</p>
      {error instanceof ApiError && error.code === 'internal_error' ? (
        <p className="quiet small">
          Request id: <code>{error.requestId}</code>
        </p>
      ) : undefined}
      <div className="row">{children}</div>
    </div>
  )
}

type Notice = { readonly tone?: 'warn' | 'calm' | 'bad'; readonly action?: ReactNode; readonly children: ReactNode }

export function Notice({ tone = 'warn', action, children }: Notice) {
  return (
    <div className={tone === 'warn' ? styles.notice : `${styles.notice} ${styles[tone]}`}>
      <StatusIcon {...NOTICE_SIGNS[tone]} size={16} />
      <div className="grow small">{children}</div>
      {action}
    </div>
  )
}

const NOTICE_SIGNS: Readonly<Record<'warn' | 'calm' | 'bad', { shape: Shape; tone: 'warn' | 'quiet' | 'bad' }>> = {
  warn: { shape: 'triangle', tone: 'warn' },
  calm: { shape: 'diamond', tone: 'quiet' },
  bad: { shape: 'octagon', tone: 'bad' },
}
