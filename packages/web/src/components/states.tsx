// What a place shows while it has nothing to show: empty, loading, failed. And notices above what is there.
import type { ReactNode } from 'react'
import type { Silhouette } from '../status/appearance.ts'
import { Sign } from '../status/status-icon.tsx'
import { Button } from './button.tsx'
import styles from './states.module.css'

type Empty = { readonly title: string; readonly children: ReactNode; readonly act?: ReactNode }

export function Empty({ title, children, act }: Empty) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p className="quiet small">{children}</p>
      {act}
    </div>
  )
}

/** Of the same height as what comes, and only after a moment: what comes at once does not flicker. */
export function Loading({ rows = 4, what }: { readonly rows?: number; readonly what: string }) {
  return (
    <div className={styles.bones} aria-busy="true">
      <span className="unseen">{what} …</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing are all alike
        <div key={row} className={styles.bone} aria-hidden="true">
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}

export function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <div className={styles.error} role="alert">
      <h2 className="row">
        <Sign silhouette="octagon" tone="bad" size={16} />
        Could not be loaded
      </h2>
      <p className="quiet small">{error.message}</p>
      <Button isSmall onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

type Notice = { readonly tone?: 'warn' | 'calm' | 'bad'; readonly act?: ReactNode; readonly children: ReactNode }

export function Notice({ tone = 'warn', act, children }: Notice) {
  return (
    <div className={tone === 'warn' ? styles.notice : `${styles.notice} ${styles[tone]}`}>
      <Sign {...NOTICE_SIGNS[tone]} size={16} />
      <div className="grow small">{children}</div>
      {act}
    </div>
  )
}

const NOTICE_SIGNS: Readonly<
  Record<'warn' | 'calm' | 'bad', { silhouette: Silhouette; tone: 'warn' | 'quiet' | 'bad' }>
> = {
  warn: { silhouette: 'triangle', tone: 'warn' },
  calm: { silhouette: 'diamond', tone: 'quiet' },
  bad: { silhouette: 'octagon', tone: 'bad' },
}
