// When an action runs by itself: its schedule, the next and the last run, and moments without a run.
import type { Action } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../../../components/time.tsx'
import { formatExact } from '../../../text/ago.ts'

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

/** A schedule may have another time zone than the user, so the zone is named. */
const formatNextRun = (at: Date): string => NEXT_RUN.format(at)

const NEXT_RUN = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})

/** A moment of a schedule that started no run, in words. */
function describeMoment({ due_at, outcome, reason }: Action['schedule_history'][number]): string {
  const what = outcome === 'missed' ? 'Missed' : 'Skipped'
  return `${what} on ${formatExact(new Date(due_at))}${reason === null ? '' : `: ${reason}`}`
}
