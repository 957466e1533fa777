// Something to press. A locked one stays where it is, can be reached by keyboard, and says why it is locked.
import { Lock } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Sign } from '../status/status-icon.tsx'
import styles from './button.module.css'
import { Hint } from './tooltip.tsx'

type Look = 'plain' | 'primary' | 'quiet' | 'danger'

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled' | 'className'> & {
  readonly look?: Look
  readonly isSmall?: boolean
  /** A lone icon: its name is `aria-label`. */
  readonly isIcon?: boolean
  readonly isBusy?: boolean
  /** Why it cannot be pressed now, as a sentence. It is in a tooltip, and told to screen readers. */
  readonly lockedBecause?: string | undefined
  readonly children: ReactNode
}

export function Button({ lockedBecause, ...props }: ButtonProps) {
  if (lockedBecause === undefined) return <PlainButton {...props} />
  return <LockedButton {...props} lockedBecause={lockedBecause} />
}

export const buttonClass = ({
  look = 'plain',
  isSmall = false,
  isIcon = false,
}: Pick<ButtonProps, 'look' | 'isSmall' | 'isIcon'>) =>
  [styles.button, look !== 'plain' && styles[look], isSmall && styles.small, isIcon && styles.icon]
    .filter(Boolean)
    .join(' ')

function PlainButton({ look, isSmall, isIcon, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  const name = buttonClass({ ...(look && { look }), ...(isSmall && { isSmall }), ...(isIcon && { isIcon }) })
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
          <span className={styles.words}>{children}</span>
          <span className={styles.sign}>
            <Sign silhouette="arc" tone={look === 'primary' ? 'quiet' : 'accent'} />
          </span>
        </>
      ) : (
        children
      )}
    </button>
  )
}

function LockedButton({
  look,
  isSmall,
  isIcon,
  children,
  lockedBecause,
  isBusy: _,
  onClick: __,
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const name = buttonClass({
    ...(look === 'quiet' && { look }),
    ...(isSmall && { isSmall }),
    ...(isIcon && { isIcon }),
  })
  return (
    <Hint text={lockedBecause ?? ''}>
      <button
        type="button"
        {...rest}
        className={name}
        aria-disabled="true"
        aria-describedby={reasonId}
        onClick={preventDefault}
      >
        {isIcon ? undefined : <Lock size={14} strokeWidth={1.5} aria-hidden="true" />}
        {children}
        <span id={reasonId} className="unseen">
          {lockedBecause}
        </span>
      </button>
    </Hint>
  )
}

/** A locked or busy button within a form does not send it. */
const preventDefault = (event: { preventDefault: () => void }): void => event.preventDefault()
