// When an action runs by itself: its schedule, the next and the last run, and moments without a run.
import type { Action } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../../../components/time.tsx'
import { describeMoment, formatNextRun } from '../../../text/schedule.ts'

type LinesProps = { readonly environmentId: number; readonly action: Action }

export function ScheduleLines({ environmentId, action }: LinesProps) {
  const { schedule, timezone, next_run_at: next, last_run: last } = action
  if (schedule === null) return null
  const [without] = action.schedule_history.filter(({ outcome }) => outcome !== 'started')
  return (
    <>
      <div className="tiny faint">
        <code>{schedule}</code> {timezone} ·{' '}
        {next === null ? (
          'off in this environment'
        ) : (
          <>
            next run <time dateTime={next}>{formatNextRun(new Date(next))}</time>
          </>
        )}
      </div>
      {last === null ? undefined : (
        <div className={`tiny ${last.status === 'failed' ? 'bad' : 'faint'}`}>
          <Link
            className="link"
            to="/environments/$environmentId/tasks/$taskId"
            params={{ environmentId, taskId: last.task_id }}
          >
            Last run
          </Link>{' '}
          {last.status}, <RelativeTime at={last.at} />
        </div>
      )}
      {without === undefined ? undefined : <div className="tiny faint">{describeMoment(without)}</div>}
    </>
  )
}
