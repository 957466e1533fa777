// Actions in the records: what a deployment brings along, and a run on a server that is not there.

import { beforeEach, describe, expect, test } from 'vitest'
import { buildAction, buildArtifact } from '../../test/action-records.ts'
import { databases } from '../../test/databases.ts'
import { endAllTasks, runIt, serviceFile, takeNext } from '../../test/deployments.ts'
import { buildTask } from '../../test/factories.ts'
import { followed } from '../../test/fake-host.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'
import { listActions } from '../store/actions/environment-actions.ts'

const withActions = `${serviceFile}
actions:
  dump: { run: make dump, artifacts: { paths: [dump.sql] }, timeout: 90s }
  old: { run: x, result: file }
`

describe.each(databases)('actions on $name', (source) => {
  const app = stageApp(source)
  beforeEach(() => endAllTasks(app.ctx))
  const { built, lease } = stageDeployment(app)

  const actionsOf = () => listActions(app.ctx.db, built.environment.id)
  const taskOf = (id: number) =>
    app.ctx.db.selectFrom('tasks').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const runAction = async (host: Parameters<typeof runIt>[2] = {}) => {
    const { id } = await buildTask(app.ctx, built.environment.id, { kind: 'action', action: 'dump' })
    const lines = await runIt(app.ctx, await takeNext(app.ctx), host)
    const steps = await app.ctx.db.selectFrom('steps').where('task_id', '=', id).orderBy('id').selectAll().execute()
    return { task: await taskOf(id), lines, steps }
  }

  test('are those of the last deployment that succeeded', async () => {
    await buildAction(app.ctx, built.environment.id, { name: 'earlier', task_id: built.liveId })
    await runIt(app.ctx, lease, { answers: { file: () => withActions } })
    expect(await taskOf(built.taskId)).toMatchObject({ status: 'succeeded' })
    expect(await actionsOf()).toMatchObject([
      { name: 'dump', run: 'make dump', mainService: 'web', artifactPaths: ['dump.sql'], timeoutMs: 90_000 },
      { name: 'old', run: null, disabledReason: expect.stringContaining('artifacts: { paths: [...] }') },
    ])
  })

  test('stay as they were when a deployment fails', async () => {
    await buildAction(app.ctx, built.environment.id, { name: 'earlier', task_id: built.liveId })
    const host = { follow: { stdout: followed('no\n', 1) } }
    await runIt(app.ctx, lease, { answers: { file: () => withActions, host } })
    expect(await taskOf(built.taskId)).toMatchObject({ status: 'failed' })
    expect(await actionsOf()).toMatchObject([{ name: 'earlier' }])
  })

  test('run in the release that serves, and are no deployment of it', async () => {
    await runIt(app.ctx, lease, { answers: { file: () => withActions } })
    const { task, lines, steps } = await runAction({ answers: { host: { 'head -c': { stdout: withActions } } } })
    expect(task).toMatchObject({ status: 'succeeded', kind: 'action', recipe: 'manual', switched_at: null })
    expect(lines.some((line) => line.includes(`releases/${built.taskId}`))).toBe(true)
    expect(lines.filter((line) => /^(fetch|push|check out)/.test(line))).toEqual([])
    expect(steps.map(({ phase, name }) => `${phase}: ${name}`)).toEqual([
      ...[
        'Prepare: Find the action',
        'Prepare: Connect to the server',
        'Prepare: Find the target',
        'Prepare: Find ports',
      ],
      ...['Run: dump', 'Artifacts: Find files'],
    ])
  })

  test('say why they cannot run', async () => {
    const gone = await runAction()
    expect(gone.task.status).toBe('failed')
    expect(gone.steps.at(-1)?.message).toBe('The deployment that serves now has no action dump')
    await runIt(app.ctx, lease, { answers: { file: () => withActions } })
    const swept = await runAction({ answers: { host: { 'test -d': { exitCode: 1 } } } })
    expect(swept.steps.at(-1)?.message).toContain('The folder of the release is not on the server any more')
  })

  test('go with the environment, and so does what they left', async () => {
    await runIt(app.ctx, lease, { answers: { file: () => withActions } })
    const { task } = await runAction({ answers: { host: { 'head -c': { stdout: withActions } } } })
    const artifact = await buildArtifact(app.ctx, task.id)
    await buildTask(app.ctx, built.environment.id, { kind: 'remove' })
    app.moveClock(1000)
    await runIt(app.ctx, await takeNext(app.ctx), { answers: { host: { 'head -c': { stdout: withActions } } } })
    expect(await actionsOf()).toEqual([])
    const { expires_at: expiresAt } = await app.ctx.db
      .selectFrom('artifacts')
      .where('id', '=', artifact.id)
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(expiresAt).toBe(app.ctx.clock())
  })
})
