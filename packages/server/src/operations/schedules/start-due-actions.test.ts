// Scheduled actions: each due moment is decided once, what is in the way is listed, and the settings of the environment count.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { replaceActions } from '../../store/actions/environment-actions.ts'
import { listDueActions } from '../../store/schedules/schedules.ts'
import { finishTask, startTask } from '../../store/tasks/task-states.ts'
import { compareAlerts } from '../alerts/compare-alerts.ts'
import { startDueActions } from './start-due-actions.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.each(databases)('scheduled actions on $name', (source) => {
  const app = stageApp(source)
  const { owner, member, project } = stageProject(app, { owner: 'owner', member: 'member' })
  let id: number
  let name: string
  let liveId: number

  /** To half past the next hour, so that hourly schedules are due in thirty minutes. */
  beforeEach(async () => {
    app.moveClock(HOUR - (app.ctx.clock() % HOUR) + 30 * MINUTE)
    const environment = await buildEnvironment(app.ctx, project)
    id = environment.id
    name = environment.name
    const at = app.ctx.clock()
    liveId = (
      await buildTask(app.ctx, id, { status: 'succeeded', commit_sha: 'a'.repeat(40), started_at: at, finished_at: at })
    ).id
  })

  const deploy = async (
    changes: { cron?: string; environments?: readonly string[]; catchesUp?: boolean; timeZone?: string } = {},
    actionNames: readonly string[] = ['report'],
  ) => {
    const schedule = { cron: '0 * * * *', timeZone: 'UTC', environments: [name], catchesUp: false, ...changes }
    const actions = actionNames.map((name) => ({
      name,
      disabled: null,
      run: 'x',
      service: null,
      artifactPaths: [],
      timeoutMs: null,
      schedule,
    }))
    const deployed = { environmentId: id, taskId: liveId, actions, mainService: null, at: app.ctx.clock() }
    await app.ctx.change(PLATFORM, (tx) => replaceActions(tx, deployed))
  }
  const action = async () => (await app.call('GET', `/api/environments/${id}/actions`, { as: member })).body[0]
  const history = async () =>
    (await action()).schedule_history.map((moment: { outcome: string; reason: string | null }) =>
      moment.reason === null ? moment.outcome : `${moment.outcome}: ${moment.reason}`,
    )
  const tasks = () =>
    app.ctx.db.selectFrom('tasks').where('environment_id', '=', id).where('kind', '=', 'action').selectAll().execute()
  const pass = (minutes: number) => {
    app.moveClock(minutes * MINUTE)
    return startDueActions(app.ctx)
  }
  const end = async (status: 'succeeded' | 'failed') => {
    for (const { id: taskId } of (await tasks()).filter((task) => task.finished_at === null))
      await app.ctx.change(PLATFORM, async (tx) => {
        await startTask(tx, taskId, app.ctx.clock())
        await finishTask(tx, taskId, { status, at: app.ctx.clock() })
      })
  }
  const change = async (body: object) =>
    expect((await app.call('PATCH', `/api/environments/${id}`, { as: owner, body })).status).toBe(200)

  test('a due moment starts an ordinary task, which the audit log has as done by the schedule', async () => {
    await deploy()
    const due = new Date(app.ctx.clock() + 30 * MINUTE).toISOString()
    expect(await action()).toMatchObject({ schedule: '0 * * * *', timezone: 'UTC', next_run_at: due, last_run: null })
    await pass(29)
    expect(await tasks()).toEqual([])
    await pass(1)
    await pass(0)
    const [task, ...others] = await tasks()
    expect(others).toEqual([])
    expect(task).toMatchObject({
      action: 'report',
      status: 'queued',
      cause: 'system',
      started_by: null,
      commit_sha: 'a'.repeat(40),
    })
    const { last_run, next_run_at, schedule_history } = await action()
    expect(last_run).toMatchObject({ task_id: task?.id, status: 'queued' })
    expect(Date.parse(next_run_at)).toBe(Date.parse(due) + HOUR)
    expect(schedule_history).toEqual([{ due_at: due, outcome: 'started', reason: null, task_id: task?.id }])
    const audited = await app.ctx.db.selectFrom('audit_events').where('target_id', '=', id).selectAll().execute()
    expect(audited).toMatchObject([
      { action: 'action.scheduled', user_id: null, user_name: 'Schedule', fields: '["report"]' },
    ])
  })

  test('several processes start one run, also if one is killed before its transaction ends', async () => {
    await deploy()
    app.moveClock(30 * MINUTE)
    const killed: Context = {
      ...app.ctx,
      change: (by, work, options) =>
        app.ctx.change(
          by,
          async (tx) => {
            await work(tx)
            throw new Error('killed')
          },
          options,
        ),
    }
    await startDueActions(killed)
    expect(await tasks()).toEqual([])
    await Promise.all(Array.from({ length: 4 }, () => startDueActions(app.ctx)))
    expect(await tasks()).toHaveLength(1)
    expect(await history()).toEqual(['started'])
  })

  test('a moment is decided once, also where a deployment puts back a next run that has passed', async () => {
    await deploy()
    await pass(30)
    await end('succeeded')
    await app.ctx.db
      .updateTable('environment_actions')
      .set({ next_run_at: app.ctx.clock() })
      .where('environment_id', '=', id)
      .execute()
    await pass(0)
    expect(await tasks()).toHaveLength(1)
    expect(Date.parse((await action()).next_run_at)).toBe(app.ctx.clock() + HOUR)
  })

  test('a moment is skipped while the previous run waits or runs, and the next one runs again', async () => {
    await deploy()
    await pass(30)
    await pass(60)
    const [task] = await tasks()
    expect(await history()).toEqual([`skipped: The previous run (task ${task?.id}) had not ended`, 'started'])
    await end('succeeded')
    await pass(60)
    expect((await history())[0]).toBe('started')
    expect(await tasks()).toHaveLength(2)
  })

  test('moments that passed without the platform are missed, or made up for once', async () => {
    await deploy()
    await pass(30 + 60 + 60 + 10)
    expect(await tasks()).toEqual([])
    expect(await history()).toEqual(Array(3).fill('missed: The platform was not running at that time'))
    await deploy({ catchesUp: true })
    await pass(50 + 60 + 10)
    expect(await tasks()).toHaveLength(1)
    expect((await history()).slice(0, 2)).toEqual([
      'started: Started later: the platform was not running at that time',
      'missed: The platform was not running at that time; one later run makes up for it',
    ])
    await end('succeeded')
    await pass(0)
    expect(await tasks()).toHaveLength(1)
  })

  /** A platform on which each decision takes three minutes. */
  const slowly = (onDecision: () => void = () => undefined): Context => ({
    ...app.ctx,
    change: (by, work, options) => {
      app.moveClock(3 * MINUTE)
      onDecision()
      return app.ctx.change(by, work, options)
    },
  })

  /** Of earlier tests, which take their time as well. */
  const endOtherSchedules = () => app.ctx.db.updateTable('environment_actions').set({ next_run_at: null }).execute()

  test('a platform that takes long to start many runs starts all of them', async () => {
    await endOtherSchedules()
    await deploy({}, ['a', 'b', 'c'])
    app.moveClock(30 * MINUTE)
    const stopper = new AbortController()
    const last = await startDueActions(
      slowly(() => stopper.abort()),
      { signal: stopper.signal },
    )
    expect(await tasks()).toHaveLength(1)
    await startDueActions(slowly(), { last })
    expect(await tasks()).toHaveLength(3)
    expect(await history()).toEqual(['started'])
  })

  test('a moment that is over before the run of an earlier one could start says so', async () => {
    await endOtherSchedules()
    await deploy({ cron: '* * * * *' })
    app.moveClock(MINUTE)
    await startDueActions(slowly())
    expect(await tasks()).toHaveLength(1)
    const behind = 'missed: The platform was too busy to start it before the next one was due'
    expect(await history()).toEqual(['started', behind, behind, behind])
  })

  test('a platform that was away for long lists a hundred moments, and goes on with the present one', async () => {
    await deploy({ cron: '* * * * *' })
    await pass(1_000)
    const moments = await app.ctx.db
      .selectFrom('schedule_moments')
      .where('environment_id', '=', id)
      .orderBy('due_at', 'desc')
      .selectAll()
      .execute()
    expect(moments).toHaveLength(101)
    expect(moments[0]).toMatchObject({ due_at: app.ctx.clock(), outcome: 'started', reason: null })
    expect(Date.parse((await action()).next_run_at)).toBe(app.ctx.clock() + MINUTE)
  })

  test('only environments that the file or the settings name have schedules; pull requests have none by default', async () => {
    await deploy({ environments: ['other'] })
    expect((await action()).next_run_at).toBeNull()
    await change({ schedules: true })
    expect((await action()).next_run_at).not.toBeNull()
    await change({ schedules: false })
    await pass(90)
    await change({ schedules: null })
    expect(await action()).toMatchObject({ schedule: '0 * * * *', next_run_at: null, schedule_history: [] })
    const pullRequest = await buildEnvironment(app.ctx, project, {
      type: 'pull_request',
      name: 'pr-7',
      pull_request_number: 7,
    })
    ;[id, name] = [pullRequest.id, 'pr-7']
    await deploy()
    expect((await action()).next_run_at).toBeNull()
    await change({ schedules: true })
    expect((await action()).next_run_at).not.toBeNull()
  })

  test('while schedules are off, no moment is listed, and none is made up for', async () => {
    await deploy({ catchesUp: true })
    await change({ schedules: false })
    await pass(120)
    await change({ schedules: null })
    await pass(0)
    expect([await tasks(), await history()]).toEqual([[], []])
    expect(Date.parse((await action()).next_run_at)).toBe(app.ctx.clock() + 30 * MINUTE)
  })

  test('a deployment with the same schedule keeps a moment that is due; another schedule begins anew', async () => {
    await deploy()
    app.moveClock(30 * MINUTE)
    await deploy()
    await pass(0)
    expect(await tasks()).toHaveLength(1)
    await end('succeeded')
    app.moveClock(HOUR)
    await deploy({ cron: '30 * * * *' })
    await pass(0)
    expect(await tasks()).toHaveLength(1)
    await deploy({}, ['other'])
    expect(await history()).toEqual([])
  })

  test('a deployment does not hold up a schedule; a reset and a removal do, and say so', async () => {
    await deploy()
    const build = (kind: 'deploy' | 'reset' | 'remove') =>
      buildTask(app.ctx, id, { kind, status: 'running', started_at: app.ctx.clock() })
    const over = (taskId: number) =>
      app.ctx.db.updateTable('tasks').set({ status: 'canceled', finished_at: 1 }).where('id', '=', taskId).execute()
    const obstacles: readonly (readonly ['deploy' | 'reset' | 'remove', string])[] = [
      ['deploy', 'started'],
      ['reset', 'skipped: The environment was being reset'],
      ['remove', 'skipped: The environment was being removed'],
    ]
    await pass(29)
    for (const [kind, outcome] of obstacles) {
      const task = await build(kind)
      await pass(kind === 'deploy' ? 1 : 60)
      expect((await history())[0]).toBe(outcome)
      await end('succeeded')
      await over(task.id)
    }
    await app.ctx.db.updateTable('environments').set({ awaits_approval: 1 }).where('id', '=', id).execute()
    await pass(60)
    expect((await history())[0]).toBe('skipped: The environment waited for an approval')
    await app.ctx.db.updateTable('environments').set({ awaits_approval: 0 }).where('id', '=', id).execute()
    await over(liveId)
    await pass(60)
    expect((await history())[0]).toBe('skipped: Nothing was deployed')
  })

  test('many schedules of one organization do not hold up those of another', async () => {
    await deploy({ cron: '30 * * * *' }, ['a', 'b', 'c'])
    const other = await buildOwnedProject(app.ctx)
    const { id: otherId, name: otherName } = await buildEnvironment(app.ctx, other)
    const { id: taskId } = await buildTask(app.ctx, otherId, { status: 'succeeded', started_at: 1, finished_at: 1 })
    ;[id, name, liveId] = [otherId, otherName, taskId]
    await deploy({ cron: '31 * * * *' })
    app.moveClock(HOUR + 2 * MINUTE)
    const due = await listDueActions(app.ctx.db, { now: app.ctx.clock(), most: 2 })
    expect(due.map(({ projectId }) => projectId).toSorted()).toEqual([project.id, other.id].toSorted())
  })

  test('a removed environment has no schedules', async () => {
    await deploy()
    await app.ctx.db.updateTable('environments').set({ removed_at: app.ctx.clock() }).where('id', '=', id).execute()
    await pass(30)
    expect(await tasks()).toEqual([])
  })

  test('a failed scheduled run opens an alert, and a later success, also by hand, ends it', async () => {
    await deploy()
    const open = () =>
      app.ctx.db
        .selectFrom('alerts')
        .where('environment_id', '=', id)
        .where('resolved_at', 'is', null)
        .selectAll()
        .execute()
    await pass(30)
    await compareAlerts(app.ctx)
    expect(await open()).toEqual([])
    await end('failed')
    await compareAlerts(app.ctx)
    await compareAlerts(app.ctx)
    const [task] = await tasks()
    expect(await open()).toMatchObject([
      { rule: 'schedule_failed', service: 'report', page: `/environments/${id}/tasks/${task?.id}` },
    ])
    const listed = await app.call('GET', `/api/organizations/${project.organization_id}/alerts?state=open`, {
      as: member,
    })
    expect(listed.body[0]).toMatchObject({ rule: 'schedule_failed', service: null, action: 'report' })
    expect((await app.call('POST', `/api/environments/${id}/actions/report/tasks`, { as: member })).status).toBe(201)
    await end('succeeded')
    await compareAlerts(app.ctx)
    expect(await open()).toEqual([])
  })
})
