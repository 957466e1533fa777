// Which earlier deployments can be rolled back to: those whose images are on the server still.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { type Answers, buildDeployment, endAllTasks, runIt, serviceFile, takeNext } from '../../../test/deployments.ts'
import { buildServer, buildTask } from '../../../test/factories.ts'
import { followed } from '../../../test/fake-host.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { ServerUnreachable } from '../../remote/host.ts'

describe.each(databases)('a rollback on $name', (source) => {
  const app = stageApp(source)
  let built: Awaited<ReturnType<typeof buildDeployment>>

  beforeEach(async () => {
    built = await buildDeployment(app.ctx)
    await endAllTasks(app.ctx)
  })

  const task = async (kind: 'deploy', status: 'succeeded' | 'failed', serverId = built.project.serverId) => {
    const ended = { kind, status, commit_sha: 'c'.repeat(40), started_at: 1, finished_at: 2 }
    const { id } = await buildTask(app.ctx, built.environment.id, ended)
    await app.ctx.db.updateTable('tasks').set({ server_id: serverId }).where('id', '=', id).execute()
    return id
  }
  /** As far as the server lets it come. */
  const reset = async (host: Answers['host'] = {}) => {
    const { body } = await app.call('POST', `/api/environments/${built.environment.id}/reset`, { as: built.owner })
    await runIt(app.ctx, await takeNext(app.ctx), { answers: { host: { head: { stdout: serviceFile }, ...host } } })
    const row = await app.ctx.db
      .selectFrom('tasks')
      .where('id', '=', body.id)
      .select('status')
      .executeTakeFirstOrThrow()
    return { id: body.id, status: row.status }
  }
  const rollBack = async (taskId: number) => {
    const url = `/api/environments/${built.environment.id}/rollback`
    const { status, body } = await app.call('POST', url, { as: built.owner, body: { task_id: taskId } })
    await endAllTasks(app.ctx)
    return status === 201 ? 'queued' : `${body.code}: ${body.detail}`
  }
  const refused =
    'too_late: You can go back only to the last 3 deployments that succeeded on this server since its last reset. Deploy the commit instead'

  test('reaches three deployments back', async () => {
    const ids = [built.liveId, await task('deploy', 'succeeded'), await task('deploy', 'succeeded')]
    for (const id of ids) expect(await rollBack(id)).toBe('queued')
    await task('deploy', 'failed')
    await task('deploy', 'succeeded')
    expect(await rollBack(built.liveId)).toBe(refused)
  })

  test('does not reach behind a reset', async () => {
    const { id, status } = await reset()
    expect(status).toBe('succeeded')
    const later = await task('deploy', 'succeeded')
    expect(await rollBack(built.liveId)).toBe(refused)
    expect([await rollBack(id), await rollBack(later)]).toEqual(['queued', 'queued'])
  })

  test('does not reach behind a reset that failed once it had taken everything away', async () => {
    expect(await reset({ follow: { stdout: followed('no\n', 2) } })).toMatchObject({ status: 'failed' })
    expect(await rollBack(built.liveId)).toBe(refused)
  })

  test('reaches behind a reset that had not begun to take anything away', async () => {
    const nobody = () => Promise.reject(new ServerUnreachable('auth', 'The server refuses us'))
    expect(await reset({ 'find home': nobody })).toMatchObject({ status: 'failed' })
    expect(await rollBack(built.liveId)).toBe('queued')
  })

  test('does not reach to another server', async () => {
    const organization = await app.ctx.db
      .selectFrom('projects')
      .where('id', '=', built.project.id)
      .select('organization_id')
      .executeTakeFirstOrThrow()
    const elsewhere = await buildServer(app.ctx, organization.organization_id)
    const moved = await task('deploy', 'succeeded', elsewhere.id)
    expect(await rollBack(moved)).toBe(refused)
    expect(await rollBack(built.liveId)).toBe('queued')
  })
})
