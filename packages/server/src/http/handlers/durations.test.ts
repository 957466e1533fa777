// How long deployments usually take, over HTTP.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildStep, buildTask } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'

describe.each(databases)('usual durations on $name', (source) => {
  const app = stageApp(source)
  const { viewer, project } = stageProject(app, { viewer: 'viewer' })
  let environmentId: number

  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project)).id
  })

  type Deployed = Partial<Parameters<typeof buildTask>[2]>
  const deployed = (durationMs: number, more: Deployed = {}, environment = environmentId) =>
    buildTask(app.ctx, environment, {
      status: 'succeeded',
      started_at: 1000,
      finished_at: 1000 + durationMs,
      ...more,
    })
  const ask = (headers: Record<string, string> = {}) =>
    app.call('GET', `/api/environments/${environmentId}/durations`, { as: viewer, headers })

  test('an environment that was never deployed has none', async () => {
    expect(await ask()).toMatchObject({
      status: 200,
      body: { environment_id: environmentId, deployments: 0, duration_ms: null, phases: [] },
    })
  })

  test('only deployments of this environment that succeeded count, with their phases', async () => {
    const other = await buildEnvironment(app.ctx, project)
    await deployed(1, {}, other.id)
    await deployed(2, { kind: 'remove' })
    await deployed(3, { status: 'failed' })
    await deployed(4, { status: 'canceled' })
    await buildTask(app.ctx, environmentId, { status: 'running', started_at: 1 })
    const one = await deployed(40_000)
    const two = await deployed(44_000, { kind: 'reset' })
    for (const [index, { id }] of [one, two].entries()) {
      await buildStep(app.ctx, id, { phase: 'Prepare', started_at: 1000, finished_at: 3000 })
      await buildStep(app.ctx, id, { phase: 'Build', started_at: 3000, finished_at: 13_000 + index * 2000 })
    }
    expect((await ask()).body).toEqual({
      environment_id: environmentId,
      deployments: 2,
      duration_ms: 42_000,
      phases: [
        { name: 'Prepare', duration_ms: 2000 },
        { name: 'Build', duration_ms: 11_000 },
      ],
    })
  })

  test('the last twenty count, and a new one counts at once', async () => {
    for (let count = 0; count < 11; count++) await deployed(90_000)
    for (let count = 0; count < 20; count++) await deployed(1000)
    expect((await ask()).body).toMatchObject({ deployments: 20, duration_ms: 1000 })
    for (let count = 0; count < 20; count++) await deployed(5000)
    expect((await ask()).body).toMatchObject({ deployments: 20, duration_ms: 5000 })
  })

  test('a removed environment still counts, but not outside of the organization that was asked for', async () => {
    await deployed(1000)
    await app.ctx.db.updateTable('environments').set({ removed_at: 1 }).where('id', '=', environmentId).execute()
    expect((await ask()).body).toMatchObject({ deployments: 1, duration_ms: 1000 })
    const another = await buildOrganization(app.ctx, [{ user: viewer, role: 'owner' }])
    expect(await ask({ 'x-service-organization': String(another.id) })).toMatchObject({ status: 404 })
  })
})
