// Buttons of a task's output: wrap, copy, download.
import type { Task } from '@shipway/api'
import { Download } from 'lucide-react'
import { buttonClass } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import styles from '../../../components/output/output.module.css'
import { WrapToggle } from '../../../components/output/output-toggles.tsx'

const icon = { size: 15, strokeWidth: 1.5, 'aria-hidden': true } as const

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
      <WrapToggle isWrapped={isWrapped} onWrap={onWrap} />
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
