// Page of a task: phases, steps, output, and the diagnosis of a failure.
import type { Environment, Task } from '@shipway/api'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ArtifactList } from '../../components/artifacts/artifact-list.tsx'
import { Count } from '../../components/page.tsx'
import { Region } from '../../components/region.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useIsPhone } from '../../components/use-is-phone.ts'
import { useLiveQuery } from '../../data/live-query.ts'
import { useTaskLog } from '../../data/log/task-log.ts'
import { environmentQuery, taskQuery } from '../../data/queries.ts'
import { announce } from '../../layout/announcer.tsx'
import { PageNotFound } from '../../layout/page-failed.tsx'
import { taskAppearance } from '../../status/appearance.ts'
import { currentPhase } from '../../status/phases.ts'
import { isNotFound } from '../../text/problem.ts'
import { Diagnosis } from './diagnosis/diagnosis.tsx'
import { useDiagnosis } from './diagnosis/use-diagnosis.ts'
import { TaskHead } from './head/task-head.tsx'
import { TaskNotices } from './head/task-notices.tsx'
import { ExpiredOutput } from './output/expired-output.tsx'
import { OutputPane } from './output/output-pane.tsx'
import { PhaseTimeline } from './progress/phase-timeline.tsx'
import { stepsOf } from './steps/steps.ts'
import { StepsPane } from './steps/steps-pane.tsx'
import styles from './task.module.css'
import { isActive, taskName } from './task-name.ts'

export function TaskPage() {
  const { environmentId, taskId } = useParams({ from: '/signed-in/environments/$environmentId/tasks/$taskId' })
  const { data: task, error, refetch } = useLiveQuery(taskQuery(taskId))
  const { data: known, error: fault, isPending } = useLiveQuery(environmentQuery(environmentId))
  // Tasks outlive their environment, which may be removed while the page is open.
  const environment = fault && isNotFound(fault) ? undefined : known
  if (task === undefined) {
    if (error && isNotFound(error)) return <PageNotFound />
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading task" />
  }
  if (task.environment_id !== environmentId) return <PageNotFound />
  // The header is higher with its buttons, so the page waits for them instead of moving.
  if (isPending) return <Loading what="Loading environment" />
  return <ShownTask key={task.id} task={task} environment={environment} />
}

type View = 'steps' | 'output'

type ShownTaskProps = { readonly task: Task; readonly environment: Environment | undefined }

function ShownTask({ task, environment }: ShownTaskProps) {
  const { step: chosen } = useSearch({ from: '/signed-in/environments/$environmentId/tasks/$taskId' })
  const isPhone = useIsPhone()
  const [view, setView] = useState<View>(
    isActive(task) || chosen !== undefined || location.hash !== '' ? 'output' : 'steps',
  )
  const [hadFailed] = useState(task.status === 'failed')
  const { diagnosis, isPending } = useDiagnosis(task)
  useAnnouncements(task)
  const steps = stepsOf(task)
  if (hadFailed && isPending) return <Loading what="Loading diagnosis" />
  const explanation = diagnosis ? (
    <Region name="The diagnosis">
      <Diagnosis task={task} environment={environment} diagnosis={diagnosis} onShowLine={() => setView('output')} />
    </Region>
  ) : undefined
  return (
    <div className={styles.page} data-wide data-view={view}>
      <TaskHead task={task} environment={environment} />
      <TaskNotices task={task} environment={environment} />
      {hadFailed ? explanation : undefined}
      <Region name="The timeline">
        <PhaseTimeline task={task} />
      </Region>
      {task.kind === 'action' && task.status === 'succeeded' ? (
        <section className={styles.artifacts} aria-labelledby="artifacts">
          <h2 id="artifacts">Artifacts</h2>
          <ArtifactList taskId={task.id} none="No artifacts." />
        </section>
      ) : undefined}
      <div className={styles.panes} data-view={view}>
        <ViewSwitch taskId={task.id} view={view} onView={setView} />
        <Region name="The steps">
          <StepsPane task={task} steps={steps} chosen={chosen} isPhone={isPhone} onChoose={() => setView('output')} />
        </Region>
        <Region name="The output">
          {task.log_expired_at === null ? (
            <OutputPane
              task={task}
              steps={steps}
              chosen={chosen}
              isPhone={isPhone}
              errorLine={diagnosis?.errorLine}
              label={`Output of ${taskName(task)}`}
            >
              {/* Below the lines that the user is reading, which stay where they are. */}
              {hadFailed ? undefined : explanation}
            </OutputPane>
          ) : (
            <ExpiredOutput finishedAt={task.finished_at} expiredAt={task.log_expired_at} />
          )}
        </Region>
      </div>
    </div>
  )
}

/** Announces each phase and the result to screen readers, never lines of output. */
function useAnnouncements(task: Task): void {
  const said = useRef<string>(undefined)
  const phase = currentPhase(task)
  const sentence = isActive(task)
    ? `${taskName(task)}: ${phase === undefined ? 'queued' : `${phase} is running`}`
    : `${taskName(task)}: ${taskAppearance(task).label.toLowerCase()}${task.status === 'failed' && phase !== undefined ? ` in ${phase}` : ''}`
  useEffect(() => {
    // The initial state is read with the page.
    if (said.current !== undefined && said.current !== sentence) announce(sentence)
    said.current = sentence
  }, [sentence])
}

type ViewSwitchProps = { readonly taskId: number; readonly view: View; readonly onView: (view: View) => void }

/** Switches between steps and output on phones. */
function ViewSwitch({ taskId, view, onView }: ViewSwitchProps) {
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
