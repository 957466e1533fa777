// Switches between steps and output on phones.
import { Count } from '../../components/page.tsx'
import { useTaskLog } from '../../data/log/task-log.ts'
import styles from './task.module.css'

export type View = 'steps' | 'output'

type ViewSwitchProps = { readonly taskId: number; readonly view: View; readonly onView: (view: View) => void }

export function ViewSwitch({ taskId, view, onView }: ViewSwitchProps) {
  const { store } = useTaskLog(taskId)
  return (
    <div className={styles.viewSwitch}>
      <fieldset aria-label="View">
        <button type="button" aria-pressed={view === 'steps'} onClick={() => onView('steps')}>
          Steps
        </button>
        <button type="button" aria-pressed={view === 'output'} onClick={() => onView('output')}>
          Output {store.count === 0 ? undefined : <Count>{store.count.toLocaleString('en-US')}</Count>}
        </button>
      </fieldset>
    </div>
  )
}
