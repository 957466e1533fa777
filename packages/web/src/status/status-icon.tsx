// Status icons. Their shapes differ, so that color is never the only sign.
import type { ReactNode } from 'react'
import type { Appearance, Shape } from './appearance.ts'
import styles from './status-icon.module.css'

/** Decorative: the label stands beside it. */
export function StatusIcon({ shape, tone, size = 14 }: Omit<Appearance, 'label'> & { readonly size?: number }) {
  return (
    <svg
      className={shape === 'arc' ? `${styles[tone]} ${styles.spin}` : styles[tone]}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {SHAPES[shape]}
    </svg>
  )
}

/** Icon with a hidden label and a tooltip, where no label is visible. */
export function NamedStatusIcon({ appearance, size }: { readonly appearance: Appearance; readonly size?: number }) {
  return (
    <span title={appearance.label}>
      <StatusIcon {...appearance} {...(size !== undefined && { size })} />
      <span className="visually-hidden">{appearance.label}</span>
    </span>
  )
}

export function StatusBadge({
  appearance,
  children,
}: {
  readonly appearance: Appearance
  readonly children?: ReactNode
}) {
  return (
    <span className={`${styles.badge} ${styles[appearance.tone]}`}>
      <StatusIcon {...appearance} />
      {children ?? appearance.label}
    </span>
  )
}

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round' } as const
const cutOut = { ...stroke, stroke: 'var(--surface)' } as const

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  disc: <circle cx="8" cy="8" r="4.6" fill="currentColor" />,
  half: (
    <>
      <circle cx="8" cy="8" r="4.8" {...stroke} />
      <path d="M8 3.2a4.8 4.8 0 0 0 0 9.6z" fill="currentColor" />
    </>
  ),
  arc: (
    <>
      <circle cx="8" cy="8" r="5.4" {...stroke} strokeWidth="2" strokeOpacity=".28" />
      <path d="M8 2.6A5.4 5.4 0 0 1 13.4 8" {...stroke} strokeWidth="2" />
    </>
  ),
  dotted: <circle cx="8" cy="8" r="5.2" {...stroke} strokeDasharray="0.1 3.17" strokeWidth="1.8" />,
  ticked: (
    <>
      <circle cx="8" cy="8" r="6.6" fill="currentColor" />
      <path d="m5 8.3 2.1 2.1L11 6.2" {...cutOut} strokeLinejoin="round" />
    </>
  ),
  tick: <path d="m3.8 8.4 2.8 2.8 5.6-6.2" {...stroke} strokeLinejoin="round" />,
  octagon: (
    <>
      <path d="M5.3 1.6h5.4l3.7 3.7v5.4l-3.7 3.7H5.3l-3.7-3.7V5.3z" fill="currentColor" />
      <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" {...cutOut} />
    </>
  ),
  slashed: (
    <>
      <circle cx="8" cy="8" r="5.8" {...stroke} />
      <path d="m4.2 11.8 7.6-7.6" {...stroke} />
    </>
  ),
  ring: <circle cx="8" cy="8" r="4.2" {...stroke} />,
  diamond: (
    <>
      <path d="M8 1.2 14.8 8 8 14.8 1.2 8z" fill="currentColor" />
      <path d="M8 4.8v3.8M8 11h.01" {...cutOut} />
    </>
  ),
  minus: (
    <>
      <circle cx="8" cy="8" r="5.8" {...stroke} />
      <path d="M5.4 8h5.2" {...stroke} />
    </>
  ),
  triangle: (
    <>
      <path d="M8 1.8 15 14H1z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
      <path d="M8 6.2v3.6M8 11.9h.01" {...cutOut} />
    </>
  ),
  dash: <path d="M5 8h6" {...stroke} />,
  dot: <circle cx="8" cy="8" r="1.4" fill="currentColor" />,
}
