// Switches of an output view: follow the newest line, wrap long lines.
import { ArrowDownToLine, WrapText } from 'lucide-react'
import { Button } from '../button.tsx'
import styles from './output.module.css'

const icon = { size: 15, strokeWidth: 1.5, 'aria-hidden': true } as const

type FollowProps = { readonly isFollowing: boolean; readonly onFollow: (isFollowing: boolean) => void }

export function FollowToggle({ isFollowing, onFollow }: FollowProps) {
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-pressed={isFollowing}
      aria-keyshortcuts="F"
      title="F"
      onClick={() => onFollow(!isFollowing)}
    >
      <ArrowDownToLine {...icon} size={14} />
      {isFollowing ? 'Following' : 'Follow'}
    </button>
  )
}

type WrapProps = { readonly isWrapped: boolean; readonly onWrap: (isWrapped: boolean) => void }

export function WrapToggle({ isWrapped, onWrap }: WrapProps) {
  return (
    <Button
      variant="quiet"
      isSmall
      isIcon
      aria-label="Wrap long lines"
      title="Wrap long lines"
      aria-pressed={isWrapped}
      onClick={() => onWrap(!isWrapped)}
    >
      <WrapText {...icon} />
    </Button>
  )
}
