// Buttons of the output: follow, wrap, copy, download.
import type { Task } from '@shipway/api'
import { ArrowDownToLine, Download, WrapText } from 'lucide-react'
import { Button, buttonClass } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
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

type ToolsProps = {
  readonly task: Task
  readonly isWrapped: boolean
  readonly onWrap: (isWrapped: boolean) => void
  /** Marked lines, or everything. */
  readonly textToCopy: () => string
}

export function OutputTools({ task, isWrapped, onWrap, textToCopy }: ToolsProps) {
  return (
    <span className={styles.tools}>
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
      <CopyButton label="Copy the output or the marked lines" text={textToCopy} words={null} />
      <a
        className={buttonClass({ variant: 'quiet', isSmall: true, isIcon: true })}
        href={`/api/tasks/${task.id}/log`}
        download={`${task.kind}-${task.id}.log`}
        aria-label="Download the raw log"
        title="Download the raw log"
      >
        <Download {...icon} />
      </a>
    </span>
  )
}
