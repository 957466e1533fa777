// Old runs of schedules go, whatever they belong to; what users started stays.
import { beforeEach, describe, expect, test } from 'vitest'
import { buildArtifact } from '../../../test/action-records.ts'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { forgetRuns } from './forget-runs.ts'

describe.each(databases)('runs of schedules on $name', (source) => {
  const app = stageApp(source)
  let environmentId: number

  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, await buildOwnedProject(app.ctx))).id
    await app.ctx.db
      .insertInto('schedule_moments')
      .values(['report', 'tidy'].map((action) => ({ ...moment, environment_id: environmentId, action })))
      .execute()
  })
  const moment = { due_at: 1, outcome: 'started', reason: null } as const

  const run = async (changes: Parameters<typeof buildTask>[2] = {}) => {
    const ended = { status: 'succeeded', started_at: 1, finished_at: 2 } as const
    const scheduled = { kind: 'action', action: 'report', cause: 'system', ...ended } as const
    return (await buildTask(app.ctx, environmentId, { ...scheduled, ...changes })).id
  }
  const deleteAll = async (kept: number) => {
    await forgetRuns(app.ctx, new AbortController().signal, kept)
    const rows = await app.ctx.db.selectFrom('tasks').where('environment_id', '=', environmentId).select('id').execute()
    return rows.map(({ id }) => id).sort((a, b) => a - b)
  }

  test('are deleted beyond the newest of each action, with more than one batch', async () => {
    const old = []
    for (let count = 0; count < 60; count++) old.push(await run())
    const other = await run({ action: 'tidy' })
    const newest = [await run({ status: 'failed' }), await run({ status: 'canceled' })]
    const left = await deleteAll(2)
    expect(left).toEqual([other, ...newest])
    expect(left).not.toEqual(expect.arrayContaining(old))
  })

  test('stay while they run, while their artifacts can be downloaded, and where a user started them', async () => {
    const withArtifact = await run()
    await buildArtifact(app.ctx, withArtifact, { expires_at: app.ctx.clock() + 60_000 })
    const withExpired = await run()
    await buildArtifact(app.ctx, withExpired, { expires_at: app.ctx.clock() - 60_000 })
    const byUser = await run({ cause: 'dashboard' })
    const deployment = await run({ kind: 'deploy', action: null })
    const going = await run({ status: 'running', finished_at: null })
    const old = await run()
    const newest = await run()
    const left = await deleteAll(1)
    expect(left).toEqual([withArtifact, byUser, deployment, going, newest])
    expect(left).not.toEqual(expect.arrayContaining([withExpired, old]))
  })
})
