// Starts the actions whose schedules are due. Several platform processes may do so at the same time.
//
// Each schedule is decided in one transaction under the lock of its environment: the next moment, a row for each moment that was due, and
// the task. A process that is killed leaves either all of it or nothing, and the next pass of any process finds it due again.
import type { Context } from '../../context.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import { type Pass, planMoments, sinceWhen } from '../../domain/schedules/plan-moments.ts'
import { whySkipped } from '../../domain/schedules/why-skipped.ts'
import { listActiveActions } from '../../store/actions/environment-actions.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironmentAnywhere, lockEnvironment } from '../../store/environments/environments.ts'
import { lockProject } from '../../store/projects/projects.ts'
import { insertMoment, updateMomentTask } from '../../store/schedules/schedule-moments.ts'
import { type DueAction, findDueSchedule, listDueActions, updateNextRun } from '../../store/schedules/schedules.ts'
import { insertTask } from '../../store/tasks/task-states.ts'

/** In one pass; the rest follows with the next one. */
const MOST = 1_000

/** Who starts the runs, for the audit log. */
const SCHEDULE: Automatic = { userId: null, name: 'Schedule', origin: { address: '', requestId: '' } }

const NOT_RUNNING = 'The platform was not running at that time'
const MADE_UP = 'Started later: the platform was not running at that time'
const TOO_BUSY = 'The platform was too busy to start it before the next one was due'

type PassOptions = {
  /** The pass of this process before. */
  readonly last?: Pass | undefined
  readonly signal?: AbortSignal
}

export async function startDueActions(ctx: Context, { last, signal }: PassOptions = {}): Promise<Pass> {
  const now = ctx.clock()
  const runningSince = sinceWhen(last, now)
  for (const due of await listDueActions(ctx.db, { now, most: MOST })) {
    if (signal?.aborted) break
    await decide(ctx, due, runningSince).catch((error: unknown) => {
      ctx.log.error(
        { err: error, environment: due.environmentId, action: due.name },
        'could not start a scheduled action',
      )
    })
  }
  return { runningSince, endedAt: ctx.clock() }
}

async function decide(ctx: Context, due: DueAction, runningSince: number): Promise<void> {
  await ctx.change(SCHEDULE, async (tx) => {
    await lockProject(tx, due.projectId)
    await lockEnvironment(tx, due.environmentId)
    const schedule = await findDueSchedule(tx, due)
    const environment = await findEnvironmentAnywhere(tx, due.environmentId)
    const now = ctx.clock()
    if (!schedule || !environment || schedule.nextRunAt > now) return
    const { missed, overtaken, start, nextAt } = planMoments(schedule, { now, runningSince })
    await updateNextRun(tx, { ...due, nextAt })
    const moment = { environmentId: due.environmentId, action: due.name }
    for (const dueAt of missed)
      await insertMoment(tx, {
        ...moment,
        dueAt,
        outcome: 'missed',
        reason: start?.isLate === true ? `${NOT_RUNNING}; one later run makes up for it` : NOT_RUNNING,
      })
    for (const dueAt of overtaken) await insertMoment(tx, { ...moment, dueAt, outcome: 'missed', reason: TOO_BUSY })
    if (start) await startRun(ctx, tx, { environment, name: due.name, ...start })
  })
}

type Start = {
  readonly environment: Environment
  readonly name: string
  readonly dueAt: number
  readonly isLate: boolean
}

async function startRun(ctx: Context, tx: Change, { environment, name, dueAt, isLate }: Start): Promise<void> {
  const moment = { environmentId: environment.id, action: name, dueAt }
  const [active] = await listActiveActions(tx, environment.id, name)
  const obstacle = whySkipped(environment, active?.id)
  if (obstacle !== null) {
    await insertMoment(tx, { ...moment, outcome: 'skipped', reason: obstacle })
    return
  }
  if (!(await insertMoment(tx, { ...moment, outcome: 'started', reason: isLate ? MADE_UP : null }))) return
  const { id: taskId } = await insertTask(tx, {
    environment_id: environment.id,
    kind: 'action',
    action: name,
    cause: 'system',
    started_by: null,
    branch: environment.branch,
    commit_sha: environment.tasks.live?.commitSha ?? null,
    created_at: ctx.clock(),
  })
  await updateMomentTask(tx, { ...moment, taskId })
  await tx.audit({
    organizationId: environment.organizationId,
    action: 'action.scheduled',
    target: { kind: 'environment', id: environment.id, name: environment.name },
    fields: [name],
  })
}
