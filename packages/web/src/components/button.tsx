// Buttons. A disabled one keeps its place, stays reachable by keyboard, and says why it is disabled.
import { Lock } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { StatusIcon } from '../status/status-icon.tsx'
import styles from './button.module.css'
import { Tooltip } from './tooltip.tsx'

type Variant = 'plain' | 'primary' | 'quiet' | 'danger'

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled' | 'className'> & {
  readonly variant?: Variant
  readonly isSmall?: boolean
  /** Only an icon; `aria-label` names it. */
  readonly isIcon?: boolean
  readonly isBusy?: boolean
  /** Why the button is disabled, as a sentence. Shown in a tooltip and read by screen readers. */
  readonly disabledReason?: string | undefined
  /** What the user has to do first, such as to change something. Disabled like that, but without the padlock: nothing is forbidden. */
  readonly waitsFor?: string | undefined
  readonly children: ReactNode
}

export function Button({ disabledReason, waitsFor, ...props }: ButtonProps) {
  const reason = disabledReason ?? waitsFor
  if (reason === undefined) return <PlainButton {...props} />
  return <DisabledButton {...props} reason={reason} isLocked={disabledReason !== undefined} />
}

export const buttonClass = ({
  variant = 'plain',
  isSmall = false,
  isIcon = false,
}: Pick<ButtonProps, 'variant' | 'isSmall' | 'isIcon'>) =>
  [styles.button, variant !== 'plain' && styles[variant], isSmall && styles.small, isIcon && styles.icon]
    .filter(Boolean)
    .join(' ')

type EnabledProps = Omit<ButtonProps, 'disabledReason' | 'waitsFor'>

function PlainButton({ variant, isSmall, isIcon, isBusy = false, children, onClick, ...rest }: EnabledProps) {
  const name = buttonClass({ ...(variant && { variant }), ...(isSmall && { isSmall }), ...(isIcon && { isIcon }) })
  return (
    <button
      type="button"
      {...rest}
      className={isBusy ? `${name} ${styles.busy}` : name}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? preventDefault : onClick}
    >
      {isBusy ? (
        <>
          <span className={styles.label}>{children}</span>
          <span className={styles.spinner}>
            <StatusIcon shape="arc" tone={variant === 'primary' ? 'quiet' : 'accent'} />
          </span>
        </>
      ) : (
        children
      )}
    </button>
  )
}

function DisabledButton({
  variant,
  isSmall,
  isIcon,
  children,
  reason,
  isLocked,
  isBusy: _,
  onClick: __,
  ...rest
}: EnabledProps & { readonly reason: string; readonly isLocked: boolean }) {
  const reasonId = useId()
  const name = buttonClass({
    ...(variant === 'quiet' && { variant }),
    ...(isSmall && { isSmall }),
    ...(isIcon && { isIcon }),
  })
  return (
    <Tooltip text={reason}>
      <button
        type="button"
        {...rest}
        className={name}
        aria-disabled="true"
        aria-describedby={reasonId}
        onClick={preventDefault}
      >
        {isIcon || !isLocked ? undefined : <Lock size={14} strokeWidth={1.5} aria-hidden="true" />}
        {children}
        <span id={reasonId} className="visually-hidden">
          {reason}
        </span>
      </button>
    </Tooltip>
  )
}

/** Keeps a disabled or busy button from submitting its form. */
const preventDefault = (event: { preventDefault: () => void }): void => event.preventDefault()
